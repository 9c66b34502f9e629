import type { Store } from '../../backend/src/store/store.ts';
import { Times } from './clock.ts';
import {
  ABSENT_WORDS,
  COMMON_WORDS,
  type Corpus,
  numbers,
  personOf,
  releaseOf,
  timeOf,
  wordOf,
} from './events.ts';

/** Questions of users, each asked many times with other values. */
export interface Question {
  readonly what: string;
  /** p95 in ms; null: printed without a target. */
  readonly targetMs: number | null;
  readonly count: number;
  readonly ask: (index: number) => Promise<unknown>;
}

const FIND_MS = 20;
const LIST_MS = 50;
const TEXT_MS = 200;
const PAGE = 50;
const SORTS = ['last', 'first', 'events', 'users'] as const;

/** @throws when an answer is wrong: a fast wrong answer does not count. */
export function questions(store: Store, digests: readonly string[], corpus: Corpus): readonly Question[] {
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

export function timesOf({ count, ask }: Question): Promise<Times> {
  return Times.of(count, ask);
}
