import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';

/** Short pauses, so that the test of an outage ends soon. */
const QUICK = { ERRATA_BACKOFF_MIN: '20ms', ERRATA_BACKOFF_MAX: '200ms' };

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

test('500 envelopes accepted while the upstream is down are delivered after a kill -9 and a restart', async () => {
  await upstream.down();
  const ids = Array.from({ length: 500 }, newEventId);

  const acknowledged = await Promise.all(ids.map((id) => post(errata.url, errorEnvelope(upstream.dsn, id))));
  await errata.kill();
  await errata.start();
  await upstream.up();
  await upstream.until((arrived) => new Set(arrived.map(({ eventId }) => eventId)).size >= 500);

  expect(acknowledged.every(Boolean)).toBe(true);
  expect(new Set(upstream.arrived.map(({ eventId }) => eventId))).toEqual(new Set(ids));
});
