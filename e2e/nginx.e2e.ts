import { expect, type Page } from '@playwright/test';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { documented, hasProxy, Proxy } from './fixtures/proxies.ts';
import { test } from './fixtures/test.ts';

/** The two ways of docs/operations.md to put Errata behind the nginx of a host that serves an application. */
const WAYS = [
  { name: 'with paths of the host', base: '', location: '~ ^/(console|tunnel|reports)(/|$)' },
  { name: 'below a base path', base: '/errata', location: '^~ /errata/' },
] as const;

test.skip(() => !hasProxy('nginx'), 'needs nginx (Debian package nginx-light)');

/** Starts nginx in front of Errata, as docs/operations.md says, with a page of its own at the root of the host. */
async function startNginx(upstream: string, location: string): Promise<Proxy> {
  const nginx = new Proxy();
  nginx.write('errata-proxy.conf', documented('operations.md', 'nginx', {}));
  nginx.write('index.html', '<!doctype html><title>Host</title><h1>Host</h1>');
  return nginx.startNginx(`
    upstream errata { server ${new URL(upstream).host}; keepalive 32; }
    server {
      listen 127.0.0.1:${nginx.port};
      root ${nginx.folder};
      default_type text/html;
      location ${location} { include errata-proxy.conf; }
    }`);
}

for (const { name, base, location } of WAYS) {
  test.describe(`behind nginx, ${name}`, () => {
    let errata: ErrataProcess;
    let nginx: Proxy;

    test.beforeAll(async () => {
      errata = await new ErrataProcess({
        environment: { ERRATA_BASE_PATH: base, ERRATA_TRUST_PROXY: '127.0.0.1/32' },
      }).start();
      nginx = await startNginx(errata.url, location);
    });

    test.afterAll(async () => {
      await nginx.stop();
      await errata.stop();
    });

    /** Returns the failed requests of a page; also those to paths that are not Errata's. */
    function failed(page: Page): readonly string[] {
      const urls: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) urls.push(`${response.status()} ${response.url()}`);
      });
      return urls;
    }

    async function signIn(page: Page): Promise<void> {
      await page.getByLabel('Console token').fill(TOKEN);
      await page.keyboard.press('Enter');
    }

    test('an error of a page of the host is found, after a sign-in', async ({ page }) => {
      const eventId = newEventId();
      const envelope = errorEnvelope(await errata.ownDsn(), eventId, 'a page of the host failed');
      await page.goto(nginx.origin);
      await expect(page.getByRole('heading', { name: 'Host' })).toBeVisible();
      const status = await page.evaluate(
        async ([path, body]) => (await fetch(path, { method: 'POST', body })).status,
        [`${base}/tunnel`, envelope] as const,
      );
      const failures = failed(page);
      await page.goto(`${nginx.origin}${base}/console/issues`);
      await signIn(page);
      await page.getByRole('link', { name: 'a page of the host failed' }).click();

      await expect(page.getByRole('heading', { level: 1 })).toContainText('a page of the host failed');
      await page.goto(`${nginx.origin}${base}/console`);
      await page.getByLabel('Paste a digest').fill(eventId);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${nginx.origin}${base}/console/e/**`);
      await expect(page.getByRole('heading', { level: 1 })).toContainText('a page of the host failed');
      expect(status).toBe(200);
      // Before the sign-in.
      expect(failures.filter((failure) => !failure.startsWith('401 '))).toEqual([]);
    });
  });
}
