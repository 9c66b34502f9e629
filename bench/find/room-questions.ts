import type { Store } from '../../backend/src/store/store.ts';
import type { Question } from './clock.ts';
import type { Flavor } from './databases.ts';

const TREND_MS = 20;
const FIELD_MS = 200;
const FACETS_MS: Readonly<Record<Flavor, number>> = { sqlite: 40, postgres: 80 };
/** 20,000 events are read. */
const MISS_MS = 250;
/** A step of 1,000 events, and the read itself. */
const BESIDE_MS = 30;
const PAGE = 50;

/** Each field of a search, as on the page of the issues. */
const FIELDS = [
  'environment:production',
  'server:web-7',
  'browser:safari',
  'tag:page:checkout',
  'level:fatal',
  'is:new',
  'last:1h',
  'at:2026-11-20',
  'at:2026-11-20T14',
  '-browser:safari',
  '-release:4.20.0 items',
  'environment:staging',
];

/**
 * What the page of the issues and the answer ask besides lists and look-ups: the trend, each field of a search, and the newest
 * events of the issue that has most, counted and searched.
 */
export function roomQuestions(store: Store, flavor: Flavor): readonly Question[] {
  let largest: Promise<string> | null = null;
  const ofLargest = async <T>(ask: (digest: string) => Promise<T>): Promise<T> =>
    ask(await (largest ??= largestOf(store)));
  const eventsWith = (q: string) =>
    ofLargest((digest) => store.ask('issueEvents', digest, PAGE, null, { q }));
  const miss = () => eventsWith('user:none@shop.example');
  let scan: Promise<unknown> | null = null;
  return [
    { what: 'trend of 14 days', targetMs: TREND_MS, count: 200, ask: () => store.ask('trend') },
    ...FIELDS.map((q): Question => ({
      what: `issues, ${q}`,
      targetMs: FIELD_MS,
      count: 50,
      ask: () => store.ask('issues', PAGE, null, { q, status: 'open' }),
    })),
    {
      what: 'facets of the largest issue',
      targetMs: FACETS_MS[flavor],
      count: 200,
      ask: () => ofLargest((digest) => store.ask('issueFacets', digest)),
    },
    {
      what: 'the answer during a filter of its events without a match',
      targetMs: BESIDE_MS,
      count: 200,
      ask: () => {
        scan ??= miss().finally(() => (scan = null));
        return ofLargest((digest) => store.ask('issue', digest));
      },
    },
    { what: 'its events, a filter without a match', targetMs: MISS_MS, count: 50, ask: miss },
    {
      what: 'its events, a negation without a match',
      targetMs: MISS_MS,
      count: 50,
      // All events have this path, whose case counts: each of the 20,000 is compared outside the database.
      ask: () => eventsWith('-url:/checkout'),
    },
    {
      what: 'facets of such a filter',
      targetMs: MISS_MS,
      count: 50,
      ask: () => ofLargest((digest) => store.ask('issueFacets', digest, { q: 'server:nowhere' })),
    },
  ];
}

async function largestOf(store: Store): Promise<string> {
  const { issues } = await store.ask('issues', 1, null, { sort: 'events' });
  const [largest] = issues;
  if (largest === undefined) throw new Error('the store has no issue');
  return largest.digest;
}
