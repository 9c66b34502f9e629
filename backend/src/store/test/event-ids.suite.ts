import { hashOf } from '../event/event-ids.ts';
import { DAY_MS } from '../../time/iso.ts';
import { eventEnvelope, eventIdOf, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

const NO_LIMIT = { maxAgeMs: 1e12, maxBytes: 1e12 };

/** Stores four events, each a day older than the one before and of a user of its own. */
async function fourEvents(store: TestedStore): Promise<void> {
  for (const number of [1, 2, 3, 4]) {
    const receivedAtMs = RECEIVED_MS - number * DAY_MS;
    const user = { email: `reader${number}@shop.example` };
    await store.ingest([eventEnvelope(serverEvent(number, 'a/b', { user }), { receivedAtMs })]);
  }
}

/** Returns the row ids of the events that have ids, and of all stored events. */
async function eventsOf({ db }: TestedStore) {
  const named = await db.selectFrom('event_ids').select('event').orderBy('event').execute();
  const stored = await db.selectFrom('event').select(['id', 'event_id']).orderBy('id').execute();
  return {
    named: named.map(({ event }) => event),
    stored: stored.map(({ id }) => id),
    left: stored.map((row) => row.event_id),
  };
}

export function describeEventIds(stores: StoresUnderTest): void {
  describe('the ids of events', () => {
    it('are stored once for each event, of a repeated envelope, too', async () => {
      const store = await stores.open();
      const envelopes = [1, 2, 3].map((number) => eventEnvelope(serverEvent(number, `a/${number}`)));

      await store.ingest([...envelopes, ...envelopes]);
      await store.ingest(envelopes);

      const { named, stored } = await eventsOf(store);
      expect([named, stored.length]).toEqual([stored, 3]);
    });

    it('are those of a full event also for one that is stored in brief', async () => {
      const store = await stores.open();
      const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
      const ids = {
        contexts: { trace: { trace_id, op: 'http' } },
        request: {
          url: 'https://shop.example/orders/7',
          headers: [
            ['X-Request-ID', 'r-1'],
            ['Accept', '*/*'],
          ],
        },
        server_name: 'web-1',
        extra: {
          digest: '3956068727',
          items: [1, 2],
          note: 'x',
          order: { id: '4712-AB', secret: 'a1b2c3', rows: [] },
          password: ['a1b2c3'],
          env: { identity: 'a1b2c3', region: 'eu-4714' },
        },
        fingerprint: ['next-rsc', '4056068727'],
        tags: { order: '4711-AB' },
      };
      const body = (number: number) =>
        serverEvent(number, 'a/b', {
          ...ids,
          exception: { values: [{ type: 'Error', value: 'cart-99 is gone' }] },
        });
      await store.ingest(Array.from({ length: 120 }, (_, index) => eventEnvelope(body(index + 1))));

      const rows = await store.db
        .selectFrom('event_ids')
        .innerJoin('event', 'event.id', 'event_ids.event')
        .select(['event.is_brief', 'event_ids.hashes'])
        .execute();

      expect(new Set(rows.map((row) => row.is_brief))).toEqual(new Set([0, 1]));
      expect(new Set(rows.map(({ hashes }) => Buffer.from(hashes).toString('hex'))).size).toBe(1);
      const hashes = Buffer.from(rows[0]?.hashes ?? []).toString('hex');
      expect(['cart-99', '4712-ab', 'a1b2c3'].map((text) => hashes.includes(hashOf(text)))).toEqual([
        true,
        true,
        false,
      ]);
      expect((await store.ask('event', eventIdOf(118)))?.request?.headers).toEqual([['X-Request-ID', 'r-1']]);
    });

    it('are deleted with their event by retention', async () => {
      const store = await stores.open();
      await fourEvents(store);

      await store.ask('retain', { ...NO_LIMIT, maxAgeMs: 2.5 * DAY_MS }, RECEIVED_MS);

      const { named, stored } = await eventsOf(store);
      expect([named, stored.length]).toEqual([stored, 2]);
    });

    it.each([
      ['a user', { user: 'reader2@shop.example' }, 3],
      ['an event', { eventId: eventIdOf(3) }, 3],
      ['an age', { before: new Date(RECEIVED_MS - 2.5 * DAY_MS).toISOString() }, 2],
    ])('are deleted with their event by an erasure of %s', async (_name, erasure, left) => {
      const store = await stores.open();
      await fourEvents(store);

      await store.ask('erase', erasure, RECEIVED_MS + DAY_MS);

      const { named, stored } = await eventsOf(store);
      expect([named, stored.length]).toEqual([stored, left]);
    });
  });
}
