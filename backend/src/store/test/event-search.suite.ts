import { eventEnvelope, eventIdOf, serverEvent } from './envelopes.fixture.ts';
import { pages } from './pages.fixture.ts';
import { bothWays, isMatch, OF_EVENTS, queryOf, searchesWith, type Term } from './search-terms.fixture.ts';
import { SEARCHED, type SearchedEvent, storeSearched } from './searched-events.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

/** Two issues of all kinds of events, the first of a browser. */
const OF_BROWSER = eventsOf(6);
const OF_SERVER = eventsOf(8);

function eventsOf(issue: number): readonly SearchedEvent[] {
  return SEARCHED.filter((event) => event.issue === issue).toSorted(
    (one, other) => other.timeMs - one.timeMs || other.number - one.number,
  );
}

function addressOf([event]: readonly SearchedEvent[]): string {
  return eventIdOf(event?.number ?? 0);
}

function found(store: TestedStore, events: readonly SearchedEvent[], terms: readonly Term[], limit = 3) {
  const q = queryOf(terms);
  return pages((cursor) => store.ask('issueEvents', addressOf(events), limit, cursor, { q }));
}

export function describeEventSearch(stores: StoresUnderTest): void {
  describe('the events of an issue that match a search', () => {
    it('are those that a filter over all events finds, page by page', async () => {
      const store = await stores.open();
      await storeSearched(store);

      const wrong: unknown[] = [];
      for (const events of [OF_BROWSER, OF_SERVER])
        for (const terms of searchesWith(bothWays(Object.keys(OF_EVENTS)))) {
          const lists = await found(store, events, terms);
          const ids = lists.flatMap((list) => list.events.map(({ eventId }) => eventId));
          const expected = events
            .filter((event) => isMatch(event, terms))
            .map(({ number }) => eventIdOf(number));
          const read = lists.reduce((sum, { searched }) => sum + (searched?.events ?? 0), 0);
          if (
            ids.join() !== expected.join() ||
            read !== events.length ||
            lists.at(-1)?.searched?.isAll !== true
          )
            wrong.push({ q: queryOf(terms), ids, expected, read });
        }

      expect(wrong).toEqual([]);
    });

    it('are those on other paths, also where a path begins alike in another form', async () => {
      const store = await stores.open();
      const places = ['/a', '/a/b', '/a#/c', '/ab', '/A', '/a%CC%81', '/a%CC%81/b', '/#/a'];
      await store.ingest(
        places.map((place, at) => {
          const request = { url: `https://shop.example${place}` };
          return eventEnvelope(serverEvent(at + 1, undefined, { request }));
        }),
      );
      const list = async (q: string) =>
        (await store.ask('issueEvents', eventIdOf(1), 50, null, { q }))?.events.map(({ path }) => path);

      const on = await list('url:/a');
      const others = await list('-url:/a');

      expect(on?.toSorted()).toEqual(['/#/a', '/a', '/a#/c', '/a/b', '/ab']);
      expect(others?.toSorted()).toEqual(['/A', '/a%CC%81', '/a%CC%81/b']);
    });

    it('say how far back they were searched', async () => {
      const store = await stores.open();
      await storeSearched(store);

      const q = 'last:9999d';
      const [first, ...others] = await pages((cursor) =>
        store.ask('issueEvents', addressOf(OF_SERVER), 4, cursor, { q }),
      );

      expect(first?.searched).toEqual({
        events: 4,
        since: new Date(OF_SERVER[3]?.timeMs ?? 0).toISOString(),
        isAll: false,
      });
      expect(others.at(-1)?.searched?.isAll).toBe(true);
    });

    it.each(['cart "exact text" -word', 'level:fatal -is:new'])(
      'are all where the search has only terms of issues: %s',
      async (q) => {
        const store = await stores.open();
        await storeSearched(store);

        const list = await store.ask('issueEvents', addressOf(OF_SERVER), 50, null, { q });
        const also = await store.ask('issueEvents', addressOf(OF_SERVER), 50, null, {
          q: `${q} server:web-1`,
        });

        expect(list?.events).toHaveLength(OF_SERVER.length);
        expect(list).not.toHaveProperty('searched');
        expect(also?.events).toHaveLength(OF_SERVER.filter(({ server }) => server === 'web-1').length);
      },
    );

    it.each(['last:yesterday', 'user:""', 'tag:plan', 'at:now server:web-1'])(
      'are none for a value that a field cannot have: %s',
      async (q) => {
        const store = await stores.open();
        await storeSearched(store);

        const list = await store.ask('issueEvents', addressOf(OF_SERVER), 50, null, { q });

        expect(list).toMatchObject({ events: [], next: null });
      },
    );
  });

  describe('the facets of an issue', () => {
    it('count its events, with a search those that match', async () => {
      const store = await stores.open();
      await storeSearched(store);

      for (const q of [null, 'environment:Production', '-tag:plan:GOLD', 'browser:safari']) {
        const facets = await store.ask('issueFacets', addressOf(OF_SERVER), { q });
        const terms = q === null ? [] : [{ text: q.replace(/^-/, ''), isNegated: q.startsWith('-') }];
        const events = OF_SERVER.filter((event) => isMatch(event, terms));
        const counts = (field: string) =>
          facets?.facets
            .find((facet) => facet.field === field)
            ?.values.map(({ value, events: count }) => `${value ?? 'none'} ${count}`)
            .toSorted();
        const expected = (valueOf: (event: SearchedEvent) => string | null) => {
          const groups = Map.groupBy(events, (event) => valueOf(event) ?? 'none');
          const isSet = [...groups.keys()].some((value) => value !== 'none');
          return isSet ? [...groups].map(([value, some]) => `${value} ${some.length}`).toSorted() : undefined;
        };

        expect(facets?.of).toBe(events.length);
        expect(facets?.searched).toMatchObject({ events: OF_SERVER.length, isAll: true });
        expect(counts('release')).toEqual(expected(({ release }) => release));
        expect(counts('environment')).toEqual(expected(({ environment }) => environment));
        expect(counts('server')).toEqual(expected(({ server }) => server));
        expect(counts('tag:plan')).toEqual(expected(({ plan }) => plan));
      }
    });

    // A version alone also finds the releases with a name before it.
    it('have terms that find the events of each value', async () => {
      const store = await stores.open();
      await storeSearched(store);
      const facets = await store.ask('issueFacets', addressOf(OF_BROWSER));

      for (const { values } of facets?.facets ?? [])
        for (const { term, events } of values.filter(({ value }) => value !== null && value !== '1.4.2')) {
          const q = term ?? '';
          const list = await store.ask('issueEvents', addressOf(OF_BROWSER), 50, null, { q });
          expect([q, list?.events.length]).toEqual([q, events]);
        }
      expect(facets?.facets.map(({ field }) => field)).toContain('browser');
    });

    it('are undefined for an unknown issue', async () => {
      expect(await (await stores.open()).ask('issueFacets', 'ABCD-EFGH')).toBeUndefined();
    });
  });
}
