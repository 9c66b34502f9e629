import { sql } from 'kysely';
import { SERVER_ERROR_TEXT } from '../../contract/texts.ts';
import { type EventBody, eventEnvelope, eventIdOf, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import { pages } from './pages.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

export function describeFindRanks(stores: StoresUnderTest): void {
  describe('the results of a search', () => {
    it.each(['items', 'release:1.0.0', 'user:ann@shop.example', 'url:/orders', 'CART', SERVER_ERROR_TEXT])(
      'are the issues of a server before any number of newer ones of strangers: %s',
      async (query) => {
        const store = await stores.open();
        const made = (number: number, source: 'server' | 'tunnel', ageMs: number) => {
          const timestamp = (RECEIVED_MS - ageMs) / 1_000;
          return eventEnvelope(serverEvent(number, 'a/b', { timestamp, fingerprint: [`${number}`] }), {
            source,
          });
        };
        const numbers = Array.from({ length: 60 }, (_, index) => index + 3);
        await store.ingest([made(1, 'server', 2_000), made(2, 'server', 1_000)]);
        await store.ingest(numbers.map((number) => made(number, 'tunnel', 0)));
        await store.db
          .updateTable('issue')
          .set({ digest: sql`'CART' || issue.id` })
          .execute();

        const all = await pages((cursor) => store.ask('find', query, cursor));
        const shown = all.flatMap(({ issues, hint }) => hint?.recent ?? issues);

        expect(shown.slice(0, 2).map(({ title }) => title)).toEqual([
          'TypeError: order 2 has no items',
          'TypeError: order 1 has no items',
        ]);
        expect(new Set(shown.map(({ key }) => key)).size).toBe(shown.length);
        expect(shown).toHaveLength(query === SERVER_ERROR_TEXT ? 10 : 62);
      },
    );

    it('are suggested alike for a similar digest', async () => {
      const store = await stores.open();
      const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
      const sourceOf = (number: number) => (number === 1 ? 'server' : 'tunnel');
      await store.ingest(
        numbers.map((number) => visit(number, { fingerprint: [`${number}`] }, sourceOf(number))),
      );
      for (const number of numbers)
        await store.db
          .updateTable('issue')
          .set({ digest: `AAAA-BBB${number}` })
          .where('title', '=', `TypeError: order ${number} has no items`)
          .execute();

      const { hint } = await store.ask('find', 'AAAA-BBBC');

      expect(hint?.similar.map(({ digest }) => digest.at(-1))).toEqual([1, 9, 8, 7, 6, 5, 4, 3].map(String));
    });

    it('have the very path first, then those below it, then others that begin alike', async () => {
      const store = await stores.open();
      const at = (number: number, path: string, source: 'server' | 'tunnel' = 'tunnel') =>
        visit(
          number,
          { request: { url: `https://shop.example${path}` }, fingerprint: [`${number}`] },
          source,
        );
      const below = Array.from({ length: 60 }, (_, index) => index + 10);
      await store.ingest([
        at(1, '/cart/5?tab=1'),
        at(2, '/cart/5#top', 'server'),
        at(3, '/cart/5/items', 'server'),
        at(4, '/cart/50', 'server'),
        ...below.map((number) => at(number, `/cart/5/items/${number}`)),
        at(5, '/cart/6'),
        at(6, '/cart/51'),
      ]);

      const all = await pages((cursor) => store.ask('find', 'url:/cart/5', cursor));
      const opened = all.flatMap(({ issues }) => issues.map(({ match }) => match?.eventId));

      expect(opened.slice(0, 3)).toEqual([2, 1, 3].map(eventIdOf));
      expect(opened.slice(-2)).toEqual([4, 6].map(eventIdOf));
      expect(new Set(opened).size).toBe(65);
    });

    it('are each on one page, also where closer ones arrive in between', async () => {
      const store = await stores.open();
      const at = (number: number, path: string) =>
        visit(number, { request: { url: `https://shop.example${path}` }, fingerprint: [`${number}`] });
      const numbers = Array.from({ length: 60 }, (_, index) => index + 10);
      await store.ingest(numbers.map((number) => at(number, `/cart/5/items/${number}`)));

      const first = await store.ask('find', 'url:/cart/5');
      await store.ingest([at(1, '/cart/5')]);
      const { issues } = await store.ask('find', 'url:/cart/5', first.next);

      const opened = [...first.issues, ...issues].map(({ match }) => match?.eventId);
      expect(opened).toHaveLength(numbers.length);
      expect(new Set(opened)).toEqual(new Set(numbers.map(eventIdOf)));
    });

    it('open the event of the very path, with the same query before another one', async () => {
      const store = await stores.open();
      const paths = [
        '/cart/5/items',
        '/cart/5?tab=a&key=s3cr3tkey',
        '/cart/5?tab=b',
        '/cart/5/items',
        '/cart/50',
      ];
      await store.ingest(
        paths.map((path, at) => visit(at + 1, { request: { url: `https://shop.example${path}` } })),
      );
      await store.ingest([
        visit(6, { request: { url: 'https://shop.example/cart/7', query_string: 'tab=a' } }),
        visit(7, { request: { url: 'https://shop.example/cart/7' } }),
      ]);

      expect(await openedBy(store, 'url:/cart/5')).toEqual([3]);
      expect(await openedBy(store, 'https://shop.example/cart/5?tab=a&key=s3cr3tkey')).toEqual([2]);
      expect(await openedBy(store, 'https://shop.example/cart/5?tab=c')).toEqual([3]);
      expect(await openedBy(store, 'https://shop.example/cart/7?tab=a')).toEqual([6]);
      expect(await openedBy(store, 'url:/cart/5/')).toEqual([4]);
    });

    it.each(['f1', 'one'])(
      'open the event of the user with this id, before those who have it as email or name: %s',
      async (fingerprint) => {
        const store = await stores.open();
        const users = [
          { id: 'ann@x.example' },
          { id: '8', email: 'ann@x.example' },
          { username: 'ann@x.example' },
        ];
        const ofOne = (at: number) => [fingerprint === 'one' ? 'one' : `f${at}`];
        await store.ingest(users.map((user, at) => visit(at + 1, { user, fingerprint: ofOne(at) })));

        expect(await openedBy(store, 'user:ANN@x.example')).toEqual(fingerprint === 'one' ? [1] : [1, 2, 3]);
      },
    );

    it('open a confirmed event of an issue before a newer one of strangers', async () => {
      const store = await stores.open();
      await store.ingest([visit(9)]);
      await store.ingest([visit(1, {}, 'server')]);

      expect(await openedBy(store, 'release:shop@1.0.0')).toEqual([1]);
    });

    it('have those with one event that matches all filters first, and open none of the others', async () => {
      const store = await stores.open();
      const ann = { user: { id: 'ann' } };
      const newer = { release: 'shop@2', fingerprint: ['newer'] };
      await store.ingest([
        visit(1, { ...ann, release: 'shop@2' }),
        visit(2, { ...newer, ...ann, release: 'shop@1' }),
        visit(3, newer),
      ]);

      expect(await openedBy(store, 'user:ann release:shop@2')).toEqual([1, null]);
    });
  });
}

/** An event; those with a larger number happened later. */
function visit(number: number, changes: EventBody = {}, source: 'server' | 'tunnel' = 'tunnel') {
  const timestamp = RECEIVED_MS / 1_000 + number;
  return eventEnvelope(serverEvent(number, 'a/b', { timestamp, ...changes }), { source });
}

/** Returns the numbers of the events that the results open. */
async function openedBy(store: TestedStore, query: string): Promise<readonly (number | null)[]> {
  const { issues } = await store.ask('find', query);
  return issues.map(({ match }) => (match === null ? null : Number.parseInt(match.eventId.slice(0, 8), 16)));
}
