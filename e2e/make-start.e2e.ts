import { expect } from '@playwright/test';
import { startMake } from './fixtures/make-target.ts';
import { test } from './fixtures/test.ts';
import { copyTree, removeTree } from './fixtures/tree-copy.ts';

const START_MS = 90_000;

test('make start builds, prints its URLs and a sign-in link, and stops at Ctrl-C', async () => {
  test.setTimeout(START_MS + 20_000);
  const tree = copyTree();
  const make = await startMake('start', tree);

  await make.printed(/Sign in once +http:\S+\n/, START_MS);

  expect(make.output()).toContain(`Application   ${make.url}\n`);
  expect(make.output()).toContain(`Console       ${make.url}/console\n`);
  expect(make.output()).toContain(`Metrics       ${make.managementUrl}/metrics\n`);
  expect(make.output()).toMatch(/DSN +https:\/\/[\da-f]{32}@errata\.invalid\/1\n/);
  const page = await fetch(make.url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('demo&quot;:true')]);
  await make.stop('SIGINT');
  expect(make.output()).toContain('"msg":"stopped"');
  removeTree(tree);
});
