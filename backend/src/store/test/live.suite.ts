import { eventEnvelope, eventIdOf, serverEvent } from './envelopes.fixture.ts';
import type { EventStore } from '../event-store.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

async function ingestFrom(store: EventStore, first: number, count: number, file = 'a/a'): Promise<void> {
  for (let number = first; number < first + count; number += 1)
    await store.ingest([eventEnvelope(serverEvent(number, file))]);
}

async function idsAfter(store: EventStore, afterId: number, missing: readonly number[] = [], limit = 50) {
  const { rows, passed } = await store.ask('liveEvents', afterId, missing, limit);
  return { numbers: rows.map(({ event }) => event.eventId), passed };
}

export function describeLive(stores: StoresUnderTest): void {
  describe('liveEvents', () => {
    it('returns the events that any replica stored since, oldest first, and marks new issues', async () => {
      const [store, replica] = [await stores.open(), await stores.open()];
      await ingestFrom(store, 1, 1);
      const last = await store.ask('lastEventId');
      await ingestFrom(replica, 2, 1);
      await ingestFrom(replica, 3, 1, 'b/b');

      const { rows, passed, lastId } = await store.ask('liveEvents', last, [], 50);

      expect(rows.map(({ event }) => [event.eventId, event.isNew])).toEqual([
        [eventIdOf(2), false],
        [eventIdOf(3), true],
      ]);
      expect(rows[0]?.event).toMatchObject({
        kind: 'server',
        title: 'TypeError: order 2 has no items',
        user: 'ann@shop.example',
      });
      expect([passed, lastId]).toEqual([0, rows.at(-1)?.id]);
    });

    it('returns the newest of many events, and counts the others', async () => {
      const store = await stores.open();
      await ingestFrom(store, 1, 6);

      expect(await idsAfter(store, 0, [], 4)).toEqual({
        numbers: [3, 4, 5, 6].map(eventIdOf),
        passed: 2,
      });
      expect((await idsAfter(store, 0, [], 6)).passed).toBe(0);
    });

    it('returns events that were missing before and are visible now', async () => {
      const store = await stores.open();
      await ingestFrom(store, 1, 3);
      const last = await store.ask('lastEventId');

      expect(await idsAfter(store, last, [last - 1, last + 5])).toEqual({
        numbers: [eventIdOf(2)],
        passed: 0,
      });
    });

    it('returns nothing for an empty store', async () => {
      const store = await stores.open();

      expect(await store.ask('liveEvents', 0, [], 50)).toEqual({ rows: [], passed: 0, lastId: 0 });
    });
  });
}
