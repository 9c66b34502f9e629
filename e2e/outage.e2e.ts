import type { DeliveryState } from '@errata/backend/contract/delivery-api.ts';
import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { ask } from './fixtures/console-pages.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';

/** Short pauses, so that the test of an outage ends soon. */
const QUICK = { ERRATA_BACKOFF_MIN: '20ms', ERRATA_BACKOFF_MAX: '200ms' };

/** Retry-After of the upstream, so the least time in the queue. Below one second `sent_at` stays. */
const PAUSE_MS = 1_000;
/** Two clocks are read, each in whole milliseconds. */
const ROUNDING_MS = 2;

/**
 * Posts an envelope, as often as it is answered 503: a busy machine may not store it in time, and clients send it again.
 * Returns whether it was acknowledged; a broken connection is no acknowledgement.
 */
async function post(url: string, envelope: string): Promise<boolean> {
  try {
    let status = 503;
    while (status === 503) {
      const answer = await fetch(`${url}/tunnel`, { method: 'POST', body: envelope });
      await answer.arrayBuffer();
      ({ status } = answer);
    }
    return status === 200;
  } catch {
    return false;
  }
}

const upstream = new FakeUpstream();
let errata: ErrataProcess;

test.beforeAll(async () => {
  await upstream.up();
  errata = await new ErrataProcess({ environment: { SENTRY_DSN: upstream.dsn, ...QUICK } }).start();
});

test.afterAll(async () => {
  expect(await errata.stop()).toBe(0);
  await upstream.down();
});

test('sent_at is moved by the time in the queue, and nothing else changes', async () => {
  upstream.status = 503;
  upstream.headers = { 'retry-after': String(PAUSE_MS / 1_000) };
  const envelope = errorEnvelope(upstream.dsn, newEventId());
  const sentAt = (JSON.parse(envelope.split('\n')[0] ?? '') as { sent_at: string }).sent_at;

  const postedAtMs = Date.now();
  await post(errata.url, envelope);
  await upstream.until(() => upstream.refused.size === 1);
  upstream.status = 200;
  upstream.headers = {};
  await upstream.until((arrived) => arrived.length > 0);
  const [arrived] = upstream.arrived;
  const heldMs = Date.parse(String(arrived?.header['sent_at'])) - Date.parse(sentAt);

  expect(heldMs).toBeGreaterThanOrEqual(PAUSE_MS);
  expect(heldMs).toBeLessThanOrEqual((arrived?.atMs ?? 0) - postedAtMs + ROUNDING_MS);
  expect(arrived?.items.toString()).toBe(envelope.slice(envelope.indexOf('\n') + 1));
  const queued = async () => (await ask<DeliveryState>(errata, '/console/api/delivery')).queued;
  await expect.poll(queued).toBe(0);
});

test('500 envelopes accepted while the upstream is down are delivered after a kill -9 and a restart', async () => {
  await upstream.down();
  upstream.arrived.length = 0;
  const ids = Array.from({ length: 500 }, newEventId);

  const acknowledged = await Promise.all(ids.map((id) => post(errata.url, errorEnvelope(upstream.dsn, id))));
  await errata.kill();
  await errata.start();
  await upstream.up();
  await upstream.until((arrived) => new Set(arrived.map(({ eventId }) => eventId)).size >= 500);

  expect(acknowledged.every(Boolean)).toBe(true);
  expect(new Set(upstream.arrived.map(({ eventId }) => eventId))).toEqual(new Set(ids));
});
