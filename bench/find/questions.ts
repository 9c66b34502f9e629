import type { Store } from '../../backend/src/store/store.ts';
import type { Question } from './clock.ts';
import type { Flavor } from './databases.ts';
import {
  ABSENT_WORDS,
  COMMON_WORDS,
  type Corpus,
  numbers,
  personOf,
  releaseOf,
  timeOf,
  traceOf,
  wordOf,
} from './events.ts';
import { roomQuestions } from './room-questions.ts';

const FIND_MS = 20;
const LIST_MS = 50;
const TEXT_MS = 200;
/** Ids of the newest 100,000 events: most are looked for within hours. */
const ID_MS = 40;
const RECENT_EVENTS = 100_000;
/** All ids are read. */
const MISS_MS: Readonly<Record<Flavor, number>> = { sqlite: 400, postgres: 800 };
/** A step of the scan and the read itself. */
const BESIDE_MS = 30;
const PAGE = 50;
const SORTS = ['last', 'first', 'events', 'users'] as const;

/** @throws when an answer is wrong: a fast wrong answer does not count. */
export function questions(
  store: Store,
  digests: readonly string[],
  corpus: Corpus,
  flavor: Flavor,
): readonly Question[] {
  const random = numbers(7);
  const digest = (): string => digests[Math.floor(random() * digests.length)] ?? '';
  const issue = (): number => Math.floor(random() * corpus.issues);
  const find = async (query: string, isRight: (issues: number) => boolean): Promise<void> => {
    const { issues } = await store.ask('find', query);
    if (!isRight(issues.length)) throw new Error(`${query} found ${issues.length} issues`);
  };
  const some = (issues: number): boolean => issues > 0;
  const text = (
    what: string,
    count: number,
    queryOf: (index: number) => string,
    isRight = some,
  ): Question => ({
    what,
    targetMs: TEXT_MS,
    count,
    ask: (index) => find(queryOf(index), isRight),
  });
  return [
    {
      what: 'find by digest',
      targetMs: FIND_MS,
      count: 1_000,
      ask: () => find(digest(), (found) => found === 1),
    },
    { what: 'answer of a digest', targetMs: FIND_MS, count: 1_000, ask: () => store.ask('issue', digest()) },
    ...ids(find, digest, corpus, MISS_MS[flavor]),
    ...lists(store, random),
    text('text: rare', 200, () => wordOf(issue())),
    text('text: common', 200, (index) => `"${of(COMMON_WORDS, index)}"`),
    text(
      'text: absent',
      200,
      (index) => `"${of(ABSENT_WORDS, index)}"`,
      (found) => found === 0,
    ),
    text('text: pasted message', 200, () => `TypeError: order 17 of ${wordOf(issue())} has no items`),
    text('release:', 100, () => `release:${releaseOf(timeOf(random() * corpus.events, corpus))}`),
    text(
      'user:',
      200,
      () => `user:${personOf(random())}`,
      () => true,
    ),
    text('url: of one issue', 200, () => `url:/checkout/${wordOf(issue())}`),
    text('url: of all, and a word', 50, (index) => `url:/checkout ${of(COMMON_WORDS, index)}`),
    ...roomQuestions(store, flavor),
  ];
}

function ids(
  find: (query: string, isRight: (issues: number) => boolean) => Promise<void>,
  digest: () => string,
  { events }: Corpus,
  missMs: number,
): readonly Question[] {
  const random = numbers(11);
  const recent = (): number => Math.floor(events - 1 - random() * Math.min(RECENT_EVENTS, events - 1));
  const one = (query: string): Promise<void> => find(query, (found) => found === 1);
  const miss = (index: number): Promise<void> => find(traceOf(-1 - index), (found) => found === 0);
  let scan: Promise<void> | null = null;
  const beside = async (index: number): Promise<void> => {
    scan ??= miss(index).finally(() => (scan = null));
    await one(digest());
  };
  return [
    { what: 'trace ID of a recent event', targetMs: ID_MS, count: 200, ask: () => one(traceOf(recent())) },
    { what: 'trace ID of no event', targetMs: missMs, count: 20, ask: miss },
    { what: 'find by digest during such a scan', targetMs: BESIDE_MS, count: 200, ask: beside },
  ];
}

function lists(store: Store, random: () => number): readonly Question[] {
  let cursor: string | null = null;
  const page = async (): Promise<void> => {
    const list: { readonly next: string | null } = await store.ask('issues', PAGE, cursor, {
      status: 'open',
    });
    cursor = list.next;
  };
  const kinds = ['browser', 'server', 'all'] as const;
  const filtered = (index: number): Promise<unknown> =>
    store.ask('issues', PAGE, null, {
      sort: of(SORTS, index),
      status: random() < 0.5 ? 'open' : 'all',
      kind: of(kinds, Math.floor(random() * kinds.length)),
    });
  return [
    { what: 'issue list, page after page', targetMs: LIST_MS, count: 400, ask: page },
    { what: 'issue list, all orders and filters', targetMs: LIST_MS, count: 400, ask: filtered },
  ];
}

function of<T>(list: readonly [T, ...T[]] | readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('nothing to choose from');
  return found;
}
