import { expect } from '@playwright/test';
import { MACHINE_TAG, startMake, WITH_BUILD } from './fixtures/make-target.ts';
import { test } from './fixtures/test.ts';
import { copyTree, removeTree } from './fixtures/tree-copy.ts';

test.describe.configure(WITH_BUILD);

test(
  'make start builds, prints its URLs and a sign-in link, and stops at Ctrl-C',
  { tag: MACHINE_TAG },
  async () => {
    const tree = copyTree();
    const make = startMake('start', tree, { PORT: '0', MANAGEMENT_PORT: '0' });

    await make.printed(/Sign in once +http:\S+\n/);

    const url = await make.printed(/Application +(http:\S+)\n/);
    expect(make.output()).toContain(`Console       ${url}/console\n`);
    const metrics = await fetch(await make.printed(/Metrics +(http:\S+\/metrics)\n/));
    expect(await metrics.text()).toContain('errata_spool_envelopes');
    expect(make.output()).toMatch(/DSN +https:\/\/[\da-f]{32}@errata\.invalid\/1\n/);
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('demo&quot;:true')]);
    await make.stop('SIGINT');
    expect(make.output()).toContain('"msg":"stopped"');
    removeTree(tree);
  },
);
