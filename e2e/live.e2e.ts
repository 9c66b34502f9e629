import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import type { LiveEvent } from '@errata/backend/contract/live-api.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { EventStream, type StreamMessage } from './fixtures/event-stream.ts';

const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };

function follow(
  { url }: ErrataProcess,
  { query = '', headers = {} }: { query?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<EventStream> {
  return EventStream.open(`${url}/console/api/live${query}`, { ...AUTHORIZATION, ...headers });
}

async function fail({ url }: ErrataProcess, query: string): Promise<string> {
  return (await fetch(`${url}/demo/server-error?${query}`)).headers.get('x-errata-digest') ?? '';
}

function readEvent({ data }: StreamMessage): LiveEvent {
  return JSON.parse(data) as LiveEvent;
}

test('errors appear as they arrive, and a browser that reconnects misses none', async () => {
  const errata = await new ErrataProcess().start();
  const stream = await follow(errata);
  const digest = await fail(errata, 'id=1');
  await stream.until((messages) => messages.length === 1);
  await fail(errata, 'id=2');
  await stream.until((messages) => messages.length === 2);
  stream.close();

  const other = await fail(errata, 'id=3&fault=2');
  const [first] = stream.messages;
  const again = await follow(errata, { headers: { 'last-event-id': first?.id ?? '' } });
  await again.until((messages) => messages.length === 2);
  const page = await follow(errata, { query: `?after=${first?.id ?? ''}` });
  await page.until((messages) => messages.length === 2);

  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  const told = stream.messages.map(readEvent);
  expect(told.map((event) => [event.digest, event.isNew, event.kind])).toEqual([
    [digest, true, 'server'],
    [digest, false, 'server'],
  ]);
  expect(again.messages.map((message) => readEvent(message).digest)).toEqual([digest, other]);
  expect(page.messages.map(readEvent)).toEqual(again.messages.map(readEvent));
  again.close();
  page.close();
  expect(await errata.stop()).toBe(0);
});

test('a stream ends when the process stops, and does not delay it', async () => {
  const errata = await new ErrataProcess({ environment: { ERRATA_DRAIN_TIMEOUT: '10m' } }).start();
  // Longer than the timeout of this test: if the process waited for the stream, the test would fail.
  const streams = [await follow(errata), await follow(errata)];

  const code = await errata.stop();
  await Promise.all(streams.map(({ ended }) => ended));

  expect(code).toBe(0);
});

test('a stream requires a session', async () => {
  const errata = await new ErrataProcess().start();

  const { status } = await fetch(`${errata.url}/console/api/live`);
  const head = await fetch(`${errata.url}/console/api/live`, { method: 'HEAD', headers: AUTHORIZATION });

  expect([status, head.status]).toEqual([401, 200]);
  expect(await errata.stop()).toBe(0);
});
