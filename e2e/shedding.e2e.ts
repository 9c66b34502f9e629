import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import type { DeliveryState } from '@errata/backend/contract/delivery-api.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';

/** Returns a replay of about 30 KiB that does not compress, like real ones. */
function replay(dsn: string): string {
  const id = newEventId();
  const noise = Array.from({ length: 900 }, () => newEventId()).join('');
  const items = [{ type: 'replay_event' }, { replay_id: id }, { type: 'replay_recording' }, { noise }];
  return [{ event_id: id, dsn }, ...items].map((part) => JSON.stringify(part)).join('\n');
}

interface SentReport {
  readonly discarded_events: readonly {
    readonly reason: string;
    readonly category: string;
    readonly quantity: number;
  }[];
}

test('a unique error is accepted in a flood of replays and of one repeated error, with a full spool', async () => {
  const upstream = new FakeUpstream();
  await upstream.up();
  await upstream.down();
  const errata = await new ErrataProcess({
    environment: {
      SENTRY_DSN: upstream.dsn,
      ERRATA_SPOOL_MAX_BYTES: '4MiB',
      ERRATA_CLIENT_REPORT_INTERVAL: '1s',
      ERRATA_BACKOFF_MIN: '50ms',
      ERRATA_BACKOFF_MAX: '500ms',
      ERRATA_RELAY_MAX_RATE: '10000',
    },
  }).start();
  const post = async (body: string): Promise<number> =>
    (await fetch(`${errata.url}/tunnel`, { method: 'POST', body })).status;
  const delivery = async (): Promise<DeliveryState> => {
    const answer = await fetch(`${errata.url}/console/api/delivery`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    return (await answer.json()) as DeliveryState;
  };

  const flood = await Promise.all(Array.from({ length: 150 }, () => post(replay(upstream.dsn))));
  const repeated = 'the same error again and again '.repeat(60);
  const repeats: number[] = [];
  const fills: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    const batch = Array.from({ length: 50 }, () => post(errorEnvelope(upstream.dsn, newEventId(), repeated)));
    repeats.push(...(await Promise.all(batch)));
    fills.push((await delivery()).fill);
  }
  const unique = newEventId();
  const envelope = errorEnvelope(upstream.dsn, unique, 'the one that matters');
  // Repeats count as unique until the store has read them; until then the error may get a 503.
  await expect
    .poll(async () => (await delivery()).sinks)
    .toContainEqual(expect.objectContaining({ name: 'store', queued: 0 }));
  expect(await post(envelope)).toBe(200);
  await upstream.up();
  await upstream.until((arrived) => arrived.some(({ eventId }) => eventId === unique));
  await expect(async () => {
    expect(await delivery()).toMatchObject({ queued: 0, missing: 0 });
  }).toPass();
  const reported = () =>
    upstream.arrived
      .filter(({ items }) => items.includes('"client_report"'))
      .flatMap(
        ({ items }) => (JSON.parse(items.toString().split('\n')[1] ?? '') as SentReport).discarded_events,
      );
  const { droppedItems } = await delivery();
  const quantityOf = (list: SentReport['discarded_events'], category: string): number =>
    list.filter((one) => one.category === category).reduce((sum, { quantity }) => sum + quantity, 0);

  expect(Math.max(...fills)).toBeGreaterThan(0.9);
  expect(repeats.every((status) => status === 200 || status === 503)).toBe(true);
  expect(flood).toContain(200);
  expect(quantityOf(droppedItems, 'replay')).toBeGreaterThan(0);
  expect(quantityOf(droppedItems, 'error')).toBeGreaterThan(0);
  await expect(() => {
    expect(quantityOf(reported(), 'replay')).toBe(quantityOf(droppedItems, 'replay'));
    expect(quantityOf(reported(), 'error')).toBe(quantityOf(droppedItems, 'error'));
  }).toPass();
  const state = await delivery();
  expect(state.missing).toBe(0);
  expect(await errata.stop()).toBe(0);
  await upstream.down();
});
