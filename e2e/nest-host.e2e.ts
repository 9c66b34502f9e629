import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from '@playwright/test';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { test } from './fixtures/test.ts';

const HOST = join(import.meta.dirname, 'fixtures', 'nest-host.ts');
const DIGEST_LINE = /Digest: [0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}/;

test.describe('another Nest application', () => {
  let host: ErrataProcess;

  test.beforeAll(async () => {
    host = await new ErrataProcess({ main: HOST }).start();
  });

  test.afterAll(() => host.stop());

  async function get(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
    const [answer] = (await once(request(host.url + path, { headers }).end(), 'response')) as [
      IncomingMessage,
    ];
    return answer;
  }

  for (const name of ['compressed', 'download', 'moved']) {
    test(`shows the page with its digest, although the handler described a body: ${name}`, async ({
      page,
    }) => {
      const response = await page.goto(`${host.url}/reports/${name}`);

      expect(response?.status()).toBe(500);
      await expect(page.getByText(DIGEST_LINE)).toBeVisible();
      expect(await response?.headerValue('x-errata-digest')).not.toBeNull();
    });

    test(`sends no header of the body that failed: ${name}`, async () => {
      const answer = await get(`/reports/${name}`, { accept: 'text/html', 'accept-encoding': 'br, gzip' });
      const body = await text(answer);

      expect(body).toContain(answer.headers['x-errata-digest']);
      expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(body)));
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(
        Object.keys(answer.headers).filter((header) =>
          /^content-(enc|dis)|^(etag|refresh|last-m)/.test(header),
        ),
      ).toEqual([]);
    });
  }
});
