import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { signIn } from './fixtures/console-pages.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { test } from './fixtures/test.ts';

const SECRET = `whsec_${Buffer.from('a-secret-of-the-receiver').toString('base64')}`;

test('a new issue is sent to a target, also after a kill, and an operator tests it', async ({ page }) => {
  const calls: { readonly body: string; readonly request: IncomingMessage }[] = [];
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push({ body, request });
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const environment = {
    ERRATA_ALERTS: `http://127.0.0.1:${port}/secret-path private=on secret=${SECRET}`,
    ERRATA_PUBLIC_URL: 'https://errata.example',
  };
  const errata = await new ErrataProcess({ environment }).start();

  const digest = (await fetch(`${errata.url}/demo/server-error?id=1`)).headers.get('x-errata-digest');
  await errata.kill();
  await errata.start();
  await fetch(`${errata.url}/demo/server-error?id=2`);
  await expect.poll(() => calls.length).toBe(1);
  await signIn(page, errata.url);
  await page.goto(`${errata.url}/console/delivery`);
  await page.getByRole('button', { name: `Test 127.0.0.1:${port}` }).click();
  await expect(page.getByText('The test message was accepted.')).toBeVisible();

  const [{ body, request } = { body: '', request: undefined }, tested] = calls;
  expect(JSON.parse(body)).toMatchObject({
    type: 'issue.new',
    data: { digest, link: `https://errata.example/console/e/${digest}` },
  });
  expect(() => new Webhook(SECRET).verify(body, request?.headers as Record<string, string>)).not.toThrow();
  expect(tested?.body).toContain('"type":"test"');
  expect(`${await page.content()} ${JSON.stringify(errata.records)}`).not.toMatch(/secret-path|whsec_/);
  await errata.stop();
  receiver.close();
});
