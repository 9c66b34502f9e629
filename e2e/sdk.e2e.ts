import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { FakeUpstream, hashOf, itemsOf } from './fixtures/fake-upstream.ts';
import { bundleOf } from './fixtures/page-sdk.ts';

/** Returns whether the store has an event. */
async function stored(errata: ErrataProcess, eventId: string): Promise<void> {
  await expect(async () => {
    const answer = await fetch(`${errata.url}/console/api/events/${eventId}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(answer.status).toBe(200);
  }).toPass();
}

interface BrowserSdk {
  readonly name: string;
  readonly dsn: string;
  /** The SDK's option; with true the SDK derives the path from the DSN. */
  readonly tunnel: string | true;
}

async function sendFromBrowser(
  page: Page,
  errata: ErrataProcess,
  { name, dsn, tunnel }: BrowserSdk,
): Promise<Buffer> {
  const code = await bundleOf(name);
  await page.goto(`${errata.url}/nope`);
  await page.addScriptTag({ content: code });
  const sent = page.waitForRequest(
    (request) => request.postDataBuffer()?.includes('"type":"event"') === true,
  );
  await page.evaluate(
    ([project, path]) => {
      const { Sentry } = window as unknown as { Sentry: typeof import('@sentry/browser') };
      Sentry.init({ dsn: project, tunnel: path, release: 'page@1' });
      Sentry.captureException(new TypeError('é is not a function'));
    },
    [dsn, tunnel] as const,
  );
  return (await sent).postDataBuffer() ?? Buffer.of();
}

test.describe('envelopes of real SDKs arrive with their items byte for byte', () => {
  let upstream: FakeUpstream;
  let errata: ErrataProcess;

  test.beforeAll(async () => {
    upstream = new FakeUpstream();
    await upstream.up();
    errata = await new ErrataProcess({ environment: { SENTRY_DSN: upstream.dsn } }).start();
  });

  test.afterAll(async () => {
    await errata.stop();
    await upstream.down();
  });

  for (const [version, sdk, tunnel] of [
    ['11', '@sentry/browser', '/tunnel'],
    ['11', '@sentry/browser', true],
    ['10', 'sentry-browser-10', '/tunnel'],
  ] as const) {
    test(`@sentry/browser ${version} in Chromium with tunnel: ${tunnel}`, async ({ browser }) => {
      const context = await browser.newContext({ bypassCSP: true });
      const page = await context.newPage();

      const sent = await sendFromBrowser(page, errata, { name: sdk, dsn: upstream.dsn, tunnel });
      const header = JSON.parse(sent.subarray(0, sent.indexOf('\n')).toString()) as { event_id: string };
      await upstream.until((arrived) => arrived.some(({ eventId }) => eventId === header.event_id));
      const arrived = upstream.arrived.find(({ eventId }) => eventId === header.event_id);

      expect(arrived?.itemsHash).toBe(hashOf(itemsOf(sent)));
      expect(arrived?.header['sdk']).toMatchObject({ name: 'sentry.javascript.browser' });
      expect(JSON.stringify(arrived?.header['sdk'])).toContain(`"${version}.`);
      await stored(errata, header.event_id);
      await context.close();
    });
  }

  test('@sentry/node, chunked and gzipped', async () => {
    const recorded: { body: Buffer; chunked: boolean; gzip: boolean }[] = [];
    const recorder = createServer((request, response) => {
      const forward = httpRequest(
        `${errata.url}/tunnel`,
        { method: 'POST', headers: request.headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500);
          answer.pipe(response);
        },
      );
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const gzip = request.headers['content-encoding'] === 'gzip';
        const raw = Buffer.concat(chunks);
        const chunked = request.headers['transfer-encoding'] === 'chunked';
        recorded.push({ body: gzip ? gunzipSync(raw) : raw, chunked, gzip });
      });
      request.pipe(forward);
    });
    recorder.listen(0, '127.0.0.1');
    await once(recorder, 'listening');
    const tunnel = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}/tunnel`;

    const child = spawn(process.execPath, [
      join(import.meta.dirname, 'fixtures', 'node-sdk.ts'),
      upstream.dsn,
      tunnel,
    ]);
    const [code] = (await once(child, 'exit')) as [number];
    const event = recorded.find(({ body }) => body.includes('"type":"event"'));
    const header = JSON.parse(event?.body.subarray(0, event.body.indexOf('\n')).toString() ?? '{}') as {
      event_id: string;
    };
    await upstream.until((arrived) => arrived.some(({ eventId }) => eventId === header.event_id));
    const arrived = upstream.arrived.find(({ eventId }) => eventId === header.event_id);

    expect(code).toBe(0);
    expect(event).toMatchObject({ chunked: true, gzip: true });
    expect(arrived?.headers['content-encoding']).toBe('gzip');
    expect(arrived?.itemsHash).toBe(hashOf(itemsOf(event?.body ?? Buffer.of())));
    await stored(errata, header.event_id);
    recorder.close();
  });
});
