import { eventEnvelope, eventIdOf, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import { DAY_MS } from '../../time/iso.ts';

const NO_LIMIT = { maxAgeMs: 1e12, maxBytes: 1e12 };

function of(number: number, user: object | undefined, changes: object = {}, receivedAtMs = RECEIVED_MS) {
  const body = serverEvent(number, 'orders/load', { user, timestamp: receivedAtMs / 1000, ...changes });
  return eventEnvelope(body, { receivedAtMs });
}

async function usersOf(store: TestedStore, number = 1): Promise<number | undefined> {
  return (await store.ask('issue', eventIdOf(number)))?.users;
}

export function describePeople(stores: StoresUnderTest): void {
  describe('users of an issue', () => {
    it('are counted once, over batches, restarts and spellings of a name', async () => {
      const store = await stores.open();
      await store.ingest([of(1, { email: 'ann@shop.example' }), of(2, { email: 'ANN@shop.example' })]);
      await store.ingest([of(3, { email: 'ann@shop.example' }), of(4, { id: 7 }), of(5, undefined)]);

      const restarted = await stores.open();
      await restarted.ingest([of(6, { id: '7' }), of(7, { username: 'bob' }), of(8, { username: 'BOB' })]);

      expect(await usersOf(store)).toBe(3);
    });

    it('are counted once with all their names', async () => {
      const store = await stores.open();
      const ann = { id: 7, username: 'ann', email: 'ann@shop.example' };

      await store.ingest([
        of(1, ann),
        of(2, { ...ann, name: 'Ann Lee' }),
        of(3, { ...ann, username: 'Ann' }),
      ]);

      expect(await usersOf(store)).toBe(1);
    });

    it('are 0 when events name none', async () => {
      const store = await stores.open();

      await store.ingest([of(1, undefined), of(2, { ip_address: '192.0.2.1' })]);

      expect(await usersOf(store)).toBe(0);
    });

    it('are counted for each issue separately', async () => {
      const store = await stores.open();
      const inOther = serverEvent(2, 'b/b', { user: { id: '7' } });

      await store.ingest([of(1, { id: '7' }), eventEnvelope(inOther)]);

      expect([await usersOf(store, 1), await usersOf(store, 2)]).toEqual([1, 1]);
    });

    it('are deleted with the events that named them', async () => {
      const store = await stores.open();
      const tenDaysAgo = RECEIVED_MS - 10 * DAY_MS;
      await store.ingest([of(1, { id: 'long ago' }, {}, tenDaysAgo), of(2, { id: 'of late' })]);

      await store.ask('retain', { ...NO_LIMIT, maxAgeMs: 5 * DAY_MS }, RECEIVED_MS);

      expect((await store.ask('find', 'user:"long ago"')).issues).toEqual([]);
      expect((await store.ask('find', 'user:"of late"')).issues).toHaveLength(1);
    });

    it('are deleted in any number, except newer ones', async () => {
      const store = await stores.open();
      const long = Array.from({ length: 5_200 }, (_, index) =>
        of(index + 1, { id: `reader ${index}` }, {}, RECEIVED_MS - (index % 2) * 10 * DAY_MS),
      );
      for (let first = 0; first < long.length; first += 650)
        await store.ingest(long.slice(first, first + 650));

      await store.ask('retain', { ...NO_LIMIT, maxAgeMs: 5 * DAY_MS }, RECEIVED_MS);

      const known = await Promise.all(
        [0, 1, 4_998, 4_999, 5_000, 5_001, 5_198, 5_199].map(
          async (index) => (await store.ask('find', `user:"reader ${index}"`)).issues.length,
        ),
      );
      expect(known).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
    });

    it('are erased with an event, all names and the route of its page, but for a path that another one has', async () => {
      const store = await stores.open();
      const at = (url: string) => ({ request: { url } });
      await store.ingest([
        of(1, { id: 'ann', email: 'ann@shop.example' }, at('https://ann.shop.example/app#/of/ann')),
        of(2, { id: 'ben' }, at('https://shop.example/app#/of/ben')),
        of(3, { username: 'Cleo', id: 'cust-8' }, at('https://shop.example/')),
        of(4, { username: 'cleo' }),
      ]);

      for (const number of [1, 3]) await store.ask('erase', { eventId: eventIdOf(number) }, RECEIVED_MS + 1);

      const reading = async (query: string) => (await store.ask('find', query)).issues.length;
      const queries = [
        'user:cleo',
        'user:ann',
        'user:ben',
        'url:#/of/ann',
        'url:#/of/ben',
        'url:/app',
        'url:ann.shop.example',
        'url:shop.example',
      ];
      expect(await Promise.all(queries.map(reading))).toEqual([1, 0, 1, 0, 1, 1, 0, 1]);
    });

    it('are stored again when they return', async () => {
      const store = await stores.open();
      const tenDaysAgo = RECEIVED_MS - 10 * DAY_MS;
      await store.ingest([of(1, { id: 'ann' }, {}, tenDaysAgo)]);
      await store.ask('retain', { ...NO_LIMIT, maxAgeMs: 5 * DAY_MS }, RECEIVED_MS);

      await store.ingest([of(2, { id: 'ann' }, {}, tenDaysAgo)]);

      expect((await store.ask('find', 'user:ann')).issues).toHaveLength(1);
    });

    it('stay stored while their events continue', async () => {
      const store = await stores.open();
      await store.ingest([of(1, { id: 'ann' }, {}, RECEIVED_MS - 10 * DAY_MS)]);
      await store.ingest([of(2, { id: 'ann' })]);

      await store.ask('retain', { ...NO_LIMIT, maxAgeMs: 5 * DAY_MS }, RECEIVED_MS);

      expect((await store.ask('find', 'user:ann')).issues).toHaveLength(1);
    });
  });

  describe('the paths of an issue', () => {
    it('are stored up to 1,000, over batches and restarts; later events are stored without', async () => {
      const store = await stores.open();
      const onPath = (first: number, length: number) =>
        Array.from({ length }, (_, index) =>
          of(first + index, undefined, { request: { url: `https://shop.example/orders/${first + index}/` } }),
        );
      await store.ingest(onPath(1, 600));
      await store.ingest(onPath(601, 399));
      const restarted = await stores.open();

      await restarted.ingest(onPath(1_000, 5));
      await restarted.ingest(onPath(1_005, 5));

      const found = async (path: string) => (await store.ask('find', `url:${path}`)).issues.length;
      expect(await Promise.all(['/orders/1/', '/orders/999/', '/orders/1009/'].map(found))).toEqual([
        1, 1, 0,
      ]);
      expect((await store.ask('issue', eventIdOf(1_009)))?.events).toBe(1_009);
    });
  });
}
