import fc from 'fast-check';
import type { IssueList } from '../../contract/issues-api.ts';
import { HOUR_MS } from '../../time/iso.ts';
import { conditionsFor, ranksFor } from '../queries/find-conditions.ts';
import { RECEIVED_MS } from './envelopes.fixture.ts';
import { bothWays, isMatch, OF_EVENTS, queryOf, searchesWith, type Term } from './search-terms.fixture.ts';
import { ISSUES, SEARCHED, type SearchedEvent, storeSearched } from './searched-events.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

type IssueTest = (events: readonly SearchedEvent[], issue: number) => boolean;

const OF_ISSUES: Readonly<Record<string, IssueTest>> = {
  cart: (_, issue) => issue % 2 === 0,
  '"fault-b of"': (_, issue) => issue === 1,
  'level:fatal': (events) => newest(events)?.level === 'fatal',
  'level:error': (events) => ['verbose', null].includes(newest(events)?.level ?? null),
  'is:open': (_, issue) => ![1, 2].includes(issue),
  'is:ignored': (_, issue) => issue === 1,
  'is:regressed': (_, issue) => issue === 3,
  'is:new': (events) => events.every(({ timeMs }) => timeMs >= RECEIVED_MS - HOUR_MS),
};

function newest(events: readonly SearchedEvent[]): SearchedEvent | undefined {
  return events.toSorted((one, other) => other.timeMs - one.timeMs || other.number - one.number)[0];
}

const ALL = bothWays([...Object.keys(OF_EVENTS), ...Object.keys(OF_ISSUES)]);
const SEARCHES = searchesWith(ALL);

function eventsOf(issue: number): readonly SearchedEvent[] {
  return SEARCHED.filter((event) => event.issue === issue);
}

function issuesOf(terms: readonly Term[]): readonly number[] {
  const matches = (issue: number) =>
    terms.every(({ text, isNegated }) => {
      const ofEvent = OF_EVENTS[text];
      const events = eventsOf(issue);
      return (ofEvent === undefined ? OF_ISSUES[text]?.(events, issue) : events.some(ofEvent)) !== isNegated;
    });
  return Array.from({ length: ISSUES }, (_, issue) => issue).filter(matches);
}

/** Returns the number of an issue by its title, `Error: fault-c of cart`. */
function numberOf({ title }: { readonly title: string }): number {
  return 'abcdefghi'.indexOf(/fault-(\w)/.exec(title)?.[1] ?? '-');
}

function numbersOf({ issues }: Pick<IssueList, 'issues'>): readonly number[] {
  return issues.map(numberOf).toSorted((one, other) => one - other);
}

async function found(store: TestedStore, q: string): Promise<readonly number[]> {
  return numbersOf(await store.ask('issues', 50, null, { q }));
}

export function describeSearch(stores: StoresUnderTest): void {
  describe('a search by fields', () => {
    it('finds the issues that a filter over all events finds', async () => {
      const store = await stores.open();
      await storeSearched(store);

      const wrong: unknown[] = [];
      for (const terms of SEARCHES) {
        const q = queryOf(terms);
        const [issues, expected] = [await found(store, q), issuesOf(terms)];
        if (issues.join() !== expected.join()) wrong.push({ q, issues, expected });
      }

      expect(wrong).toEqual([]);
      expect(SEARCHES.length).toBeGreaterThan(300);
    });

    it('opens an event with all terms, where there is one', async () => {
      const store = await stores.open();
      await storeSearched(store);
      const searches = SEARCHES.filter((terms) => terms.some(({ text }) => text in OF_EVENTS));

      const wrong: unknown[] = [];
      for (const terms of searches) {
        const q = queryOf(terms);
        const { issues } = await store.ask('find', q);
        for (const issue of issues) {
          const meant = eventsOf(numberOf(issue)).filter((event) => isMatch(event, terms));
          const opened = Number.parseInt(issue.match?.eventId.slice(0, 8) ?? '0', 16);
          if (meant.length === 0 ? opened !== 0 : meant.every(({ number }) => number !== opened))
            wrong.push({ q, issue: numberOf(issue), opened, meant: meant.map(({ number }) => number) });
        }
      }

      expect(wrong).toEqual([]);
    });

    it('by status shows those issues in place of the filter', async () => {
      const store = await stores.open();
      await storeSearched(store);
      const listed = async (q: string) =>
        numbersOf(await store.ask('issues', 50, null, { q, status: 'open' }));

      expect([await listed('is:ignored'), await listed('is:resolved')]).toEqual([[1], [2]]);
      expect(await listed('is:regressed')).toEqual([3]);
      expect(await listed('-is:open')).toEqual([1, 2]);
    });

    it.each([
      'level:high',
      '-level:high',
      'is:unresolved',
      'last:yesterday cart',
      'at:now',
      '-user:x '.repeat(11),
    ])('finds nothing for a value that a field cannot have: %s', async (q) => {
      const store = await stores.open();
      await storeSearched(store);

      expect(await found(store, q)).toEqual([]);
      expect((await store.ask('find', q)).issues).toEqual([]);
    });

    it('never fails, and has at most 23 conditions, for any text', async () => {
      const store = await stores.open();
      await storeSearched(store);
      const context = { db: store.db, flavor: store.flavor, now: () => RECEIVED_MS };
      const word = fc.oneof(
        fc.constantFrom(
          ...ALL.map((term) => queryOf([term])),
          'user:',
          '-"',
          'is:',
          'at:..',
          '-x',
          '"',
          '-url:%_\\',
        ),
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.string({ unit: 'grapheme', maxLength: 12 }),
      );
      const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));

      await fc.assert(
        fc.asyncProperty(text, async (q) => {
          const conditions = await conditionsFor(context, q);
          const ranks = await ranksFor(context, q);
          await store.ask('issues', 5, null, { q, status: 'open' });
          await store.ask('find', q);
          expect((conditions ?? []).length + 3).toBeLessThanOrEqual(23);
          for (const rank of ranks) expect((rank.conditions ?? []).length).toBeLessThanOrEqual(23);
        }),
        { numRuns: 60 },
      );
    });
  });
}
