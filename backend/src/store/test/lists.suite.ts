import { eventEnvelope, eventIdOf, serverEvent } from './envelopes.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import { pages } from './pages.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

const FILES = ['a/a', 'b/b', 'c/c', 'd/d', 'e/e'];

function ingestMany(store: TestedStore, bodies: readonly ReturnType<typeof serverEvent>[]): Promise<unknown> {
  return store.ingest(bodies.map((body) => eventEnvelope(body)));
}

export function describeLists(stores: StoresUnderTest): void {
  describe('issues', () => {
    it('pages through all issues once, also when all were seen in the same instant', async () => {
      const store = await stores.open();
      await ingestMany(
        store,
        FILES.map((file, index) => serverEvent(index + 1, file)),
      );

      const all = await pages((cursor) => store.ask('issues', 2, cursor));

      expect(all.map(({ issues }) => issues.length)).toEqual([2, 2, 1]);
      const digests = all.flatMap(({ issues }) => issues.map(({ digest }) => digest));
      expect(new Set(digests).size).toBe(5);
    });

    it('lists the issue that was seen last first', async () => {
      const store = await stores.open();
      const at = (number: number, file: string, hour: number) =>
        serverEvent(number, file, { timestamp: Date.UTC(2026, 10, 21, hour) / 1000 });
      await ingestMany(store, [at(1, 'a/a', 9), at(2, 'b/b', 11), at(3, 'c/c', 10)]);

      const { issues } = await store.ask('issues', 10, null);

      expect(issues.map(({ title }) => title)).toEqual([
        'TypeError: order 2 has no items',
        'TypeError: order 3 has no items',
        'TypeError: order 1 has no items',
      ]);
    });

    it('returns the first page for an invalid cursor', async () => {
      const store = await stores.open();
      await ingestMany(store, [serverEvent(1)]);

      const { issues } = await store.ask('issues', 10, "1' or 1=1 --");

      expect(issues).toHaveLength(1);
    });
  });

  describe('issueEvents', () => {
    it('pages through the events of one issue, newest first', async () => {
      const store = await stores.open();
      await ingestMany(
        store,
        [1, 2, 3].map((number) => serverEvent(number)),
      );
      await ingestMany(store, [serverEvent(9, 'other/file')]);

      const all = await pages((cursor) => store.ask('issueEvents', eventIdOf(1), 2, cursor));

      expect(all.map(({ events }) => events.map(({ eventId }) => eventId))).toEqual([
        [eventIdOf(3), eventIdOf(2)],
        [eventIdOf(1)],
      ]);
    });

    it.each([
      ['ANN@shop.example', [5, 3, 1]],
      ['Ann Lee', [5, 3, 1]],
      ['cust-2', [4, 2]],
      ['cust-1', [5, 3, 1]],
      ['GRÜN', [4, 2]],
      ['ann', []],
      [' ', []],
    ])('pages through the events of a user, by any whole name: %s', async (user, numbers) => {
      const store = await stores.open();
      const ann = { id: 'cust-1', email: 'Ann@shop.example', name: 'Ann Lee' };
      const of = (number: number, person: object) => serverEvent(number, 'a/b', { user: person });
      await ingestMany(store, [of(1, ann), of(2, { id: 'cust-2', username: 'Gru\u0308n' })]);
      await ingestMany(store, [
        of(3, { email: 'ann@shop.example' }),
        of(4, { username: 'grün', id: 'CUST-2' }),
      ]);
      await ingestMany(store, [of(5, { ...ann, email: 'ANN@shop.example' }), of(6, {})]);

      const all = await pages((cursor) =>
        store.ask('issueEvents', eventIdOf(1), 2, cursor, { q: `user:"${user}"` }),
      );

      expect(all.flatMap(({ events }) => events.map(({ eventId }) => eventId))).toEqual(
        numbers.map(eventIdOf),
      );
    });

    it('names the server of each event, also of a brief one', async () => {
      const store = await stores.open();
      const MORE_THAN_FULL = 105;
      await ingestMany(
        store,
        Array.from({ length: MORE_THAN_FULL }, (_, index) =>
          serverEvent(index + 1, 'a/b', { server_name: 'web-1' }),
        ),
      );

      const { events = [] } = (await store.ask('issueEvents', eventIdOf(1), 200, null)) ?? {};

      expect(events.map(({ server }) => server)).toEqual(Array(MORE_THAN_FULL).fill('web-1'));
      expect(await store.ask('event', eventIdOf(MORE_THAN_FULL))).toMatchObject({
        brief: true,
        server: 'web-1',
      });
    });

    it('is undefined for an unknown issue', async () => {
      const store = await stores.open();

      expect(await store.ask('issueEvents', 'ABCD-EFGH', 10, null)).toBeUndefined();
    });
  });

  describe('event', () => {
    it('is undefined for an unknown and for an invalid id', async () => {
      const store = await stores.open();

      expect(await store.ask('event', eventIdOf(1))).toBeUndefined();
      expect(await store.ask('event', '../etc/passwd')).toBeUndefined();
    });
  });
}
