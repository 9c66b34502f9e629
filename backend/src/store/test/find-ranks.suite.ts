import { sql } from 'kysely';
import { SERVER_ERROR_TEXT } from '../../contract/texts.ts';
import { eventEnvelope, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import { pages } from './pages.fixture.ts';
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
  });
}
