import { eventEnvelope, eventIdOf, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

async function ingestFrom(store: TestedStore, first: number, count: number, file = 'a/a'): Promise<void> {
  for (let number = first; number < first + count; number += 1)
    await store.ingest([eventEnvelope(serverEvent(number, file))]);
}

async function idsAfter(store: TestedStore, cursor: string) {
  const { events, passed, next } = await store.ask('liveEvents', cursor);
  return { ids: events.map(({ eventId }) => eventId), passed, next };
}

export function describeLive(stores: StoresUnderTest): void {
  describe('liveEvents', () => {
    it('returns the events that any replica stored since, oldest first, and marks new issues', async () => {
      const [store, replica] = [await stores.open(), await stores.open()];
      await ingestFrom(store, 1, 1);
      const { next } = await store.ask('liveEvents', null);
      await ingestFrom(replica, 2, 1);
      await ingestFrom(replica, 3, 1, 'b/b');

      const { events, passed } = await store.ask('liveEvents', next);

      expect(events.map((event) => [event.eventId, event.isNew])).toEqual([
        [eventIdOf(2), false],
        [eventIdOf(3), true],
      ]);
      expect(events[0]).toMatchObject({
        kind: 'server',
        title: 'TypeError: order 2 has no items',
        user: 'ann@shop.example',
      });
      expect(passed).toBe(0);
    });

    it('returns the newest 50 of many events, and counts the others', async () => {
      const store = await stores.open();
      await ingestFrom(store, 1, 1);
      const { next } = await store.ask('liveEvents', null);
      await ingestFrom(store, 2, 52);

      const { ids, passed, next: after } = await idsAfter(store, next);

      expect([ids.length, ids[0], ids.at(-1), passed]).toEqual([50, eventIdOf(4), eventIdOf(53), 2]);
      expect(await idsAfter(store, after)).toEqual({ ids: [], passed: 0, next: after });
    });

    it('returns an event that becomes visible after a later one, once', async () => {
      const store = await stores.open();
      await ingestFrom(store, 1, 3);
      const { next } = await store.ask('liveEvents', null);

      expect(await idsAfter(store, `${next}.1.600`)).toEqual({ ids: [eventIdOf(2)], passed: 0, next });
    });

    it('looks for an id that it has not seen, until the newest one is far ahead', async () => {
      const store = await stores.open();
      await ingestFrom(store, 1, 3);
      await store.ask('erase', { eventId: eventIdOf(2) }, RECEIVED_MS + 1);
      const { next: last } = await store.ask('liveEvents', null);
      const first = Number(last) - 2;

      const { next } = await idsAfter(store, String(first));
      const later = await idsAfter(store, `${first}.499`);

      expect([next, later.next]).toEqual([`${last}.1`, `${last}.1`]);
    });

    it('returns an event that was stored after the newest ones were erased', async () => {
      const store = await stores.open();
      await ingestFrom(store, 1, 2);
      const { next } = await store.ask('liveEvents', null);
      await store.ask('erase', { eventId: eventIdOf(2) }, RECEIVED_MS + 1);
      await ingestFrom(store, 3, 1);

      expect((await idsAfter(store, next)).ids).toEqual([eventIdOf(3)]);
    });

    it.each([null, '', 'x', '-1', '1.', '1.x'])('returns only the cursor after %j', async (cursor) => {
      const store = await stores.open();
      await ingestFrom(store, 1, 1);
      const { next } = await store.ask('liveEvents', null);

      expect(next).toMatch(/^\d+$/);
      expect(await store.ask('liveEvents', cursor)).toEqual({ events: [], passed: 0, next });
    });

    it('returns nothing for an empty store', async () => {
      const store = await stores.open();

      expect(await store.ask('liveEvents', '0')).toEqual({ events: [], passed: 0, next: '0' });
    });
  });
}
