import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
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

test('500 envelopes accepted while the upstream is down are delivered after a kill -9 and a restart', async () => {
  const upstream = new FakeUpstream();
  await upstream.up();
  await upstream.down();
  const environment = { SENTRY_DSN: upstream.dsn, ...QUICK };
  const errata = await new ErrataProcess({ environment }).start();
  const ids = Array.from({ length: 500 }, newEventId);

  const acknowledged = await Promise.all(ids.map((id) => post(errata.url, errorEnvelope(upstream.dsn, id))));
  await errata.kill();
  await errata.start();
  await upstream.up();
  await upstream.until((arrived) => new Set(arrived.map(({ eventId }) => eventId)).size >= 500);

  expect(acknowledged.every(Boolean)).toBe(true);
  expect(new Set(upstream.arrived.map(({ eventId }) => eventId))).toEqual(new Set(ids));
  expect(await errata.stop()).toBe(0);
  await upstream.down();
});

test('sent_at is moved by the time in the queue, and nothing else changes', async () => {
  const upstream = new FakeUpstream();
  await upstream.up();
  upstream.status = 503;
  upstream.headers = { 'retry-after': String(PAUSE_MS / 1_000) };
  const errata = await new ErrataProcess({ environment: { SENTRY_DSN: upstream.dsn } }).start();
  const envelope = errorEnvelope(upstream.dsn, newEventId());
  const sentAt = (JSON.parse(envelope.split('\n')[0] ?? '') as { sent_at: string }).sent_at;

  const postedAtMs = Date.now();
  await post(errata.url, envelope);
  await upstream.until(() => upstream.refused.size === 1);
  upstream.status = 200;
  await upstream.until((arrived) => arrived.length > 0);
  const [arrived] = upstream.arrived;
  const heldMs = Date.parse(String(arrived?.header['sent_at'])) - Date.parse(sentAt);

  expect(heldMs).toBeGreaterThanOrEqual(PAUSE_MS);
  expect(heldMs).toBeLessThanOrEqual((arrived?.atMs ?? 0) - postedAtMs + ROUNDING_MS);
  expect(arrived?.items.toString()).toBe(envelope.slice(envelope.indexOf('\n') + 1));
  expect(await errata.stop()).toBe(0);
  await upstream.down();
});

test('the upstream gets one form of authentication and a fixed set of headers', async () => {
  const upstream = new FakeUpstream();
  await upstream.up();
  const errata = await new ErrataProcess({ environment: { SENTRY_DSN: upstream.dsn } }).start();

  await fetch(`${errata.url}/tunnel?sentry_key=0123456789abcdef0123456789abcdef`, {
    method: 'POST',
    body: errorEnvelope(upstream.dsn, newEventId()),
    headers: {
      cookie: 'session=secret',
      authorization: 'Basic c2VjcmV0',
      'x-forwarded-for': '203.0.113.9',
      'x-sentry-forwarded-for': '203.0.113.9',
      'x-custom': 'secret',
      'user-agent': 'the browser',
    },
  });
  await upstream.until((arrived) => arrived.length > 0);
  const [arrived] = upstream.arrived;
  const headers = arrived?.headers ?? {};

  expect(arrived?.url).toBe('/api/7/envelope/');
  expect(headers['x-sentry-auth']).toMatch(
    /^Sentry sentry_version=7, sentry_client=errata\/[\w.-]+, sentry_key=[0-9a-f]{32}$/,
  );
  expect(headers['user-agent']).toBe('the browser');
  expect(headers['x-forwarded-for']).toBe('127.0.0.1');
  expect(JSON.stringify(headers)).not.toMatch(/secret|203\.0\.113|cookie|authorization/);
  expect(await errata.stop()).toBe(0);
  await upstream.down();
});
