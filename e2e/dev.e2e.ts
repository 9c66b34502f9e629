import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { MACHINE_TAG, type RunningMake, startMake, WITH_BUILD } from './fixtures/make-target.ts';
import { lastingPort } from './fixtures/ports.ts';
import { test } from './fixtures/test.ts';
import { copyTree, removeTree } from './fixtures/tree-copy.ts';

/** Vite's own port; when it is in use, Vite takes the next free one. */
const VITE_PORT = 5_173;

test.describe('make dev', { tag: MACHINE_TAG }, () => {
  test.describe.configure(WITH_BUILD);
  let tree: string;
  let make: RunningMake;
  let applicationUrl: string;
  let managementUrl: string;
  let blocker: Server;

  const clientUrl = (): Promise<string> => make.printed(/Local: +(http:\/\/localhost:\d+)/);

  /** Waits for the watchers: an edit before that can be missed. */
  const untilWatching = (): Promise<string> => make.printed(/(Watching for file changes)/);

  /** Starts on two ports; Vite must know that of the server, so it is no port that the system chooses. */
  async function startDev(): Promise<void> {
    const [port, managementPort] = [lastingPort(), lastingPort()];
    applicationUrl = `http://127.0.0.1:${port}`;
    managementUrl = `http://127.0.0.1:${managementPort}`;
    make = startMake('dev', tree, { PORT: String(port), MANAGEMENT_PORT: String(managementPort) });
    if ((await make.printed(/(is already in use)|Application /)) === '') return;
    await make.stop('SIGTERM');
    await startDev();
  }

  test.beforeAll(async () => {
    tree = copyTree();
    // The port may be in use already, which is as good.
    blocker = createServer().listen(VITE_PORT, 'localhost');
    await once(blocker, 'listening').catch(() => undefined);
    await startDev();
  });

  test.afterAll(async () => {
    blocker.close();
    await make.stop('SIGTERM');
    removeTree(tree);
  });

  test('starts on the given ports', async () => {
    expect(make.output()).toContain(`Application   ${applicationUrl}\n`);
    const status = (): Promise<number> =>
      fetch(`${managementUrl}/readyz`).then(
        (response) => response.status,
        () => 0,
      );
    await expect.poll(status, { message: 'GET /readyz' }).toBe(200);
  });

  test('serves the client on the next free port, where the printed sign-in link works', async ({ page }) => {
    const url = await clientUrl();
    await untilWatching();
    // Vite bundles the packages at the first page and then reloads it.
    await page.goto(`${url}/console/sign-in`);
    await expect(page.getByLabel('Console token')).toBeVisible();

    expect(new URL(url).port).not.toBe(String(VITE_PORT));
    // The first compilation of `tsc --watch` can restart the server, which then prints another link.
    await expect(async () => {
      const link = [...make.output().matchAll(/Sign in once +(http:\S+)/g)].at(-1)?.[1] ?? '';
      await page.goto('about:blank');
      await page.goto(`${url}/console/sign-in${new URL(link).hash}`);
      await Promise.race([
        page.waitForURL(`${url}/console`),
        page.getByRole('alert').filter({ hasText: /\S/ }).waitFor(),
      ]);
      expect(page.url()).toBe(`${url}/console`);
    }).toPass();
    expect((await page.request.get(`${url}/console/api/issues`)).status()).toBe(200);
  });

  test('restarts the server after an edit of its sources', async () => {
    await untilWatching();
    appendFileSync(
      join(tree, 'backend', 'src', 'main.ts'),
      "\nprocess.stderr.write('the edited server runs\\n');\n",
    );

    await make.printed(/(the edited server runs)\n/);
  });

  test('serves an edit of the client', async () => {
    const url = await clientUrl();
    appendFileSync(join(tree, 'frontend', 'src', 'main.tsx'), "\ndocument.title = 'the edited client';\n");

    const source = async (): Promise<string> => (await fetch(`${url}/src/main.tsx`)).text();
    await expect.poll(source, { message: 'GET /src/main.tsx' }).toContain('the edited client');
  });
});
