import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { Database, Flavor, StoreTables } from '../db/schema.ts';
import { hashesOf } from '../event/event-ids.ts';
import { tagsIn } from '../event/event-tags.ts';
import { type FactLists, type FactMatch, factFormsOf, PERSON_FACT } from '../event/fact-forms.ts';
import { mayHaveOne, surelyHasOne } from './fact-columns.ts';

/**
 * Which events a search matches. The database reads the columns of their rows and leaves out most of the others; what remains
 * is decided here, exactly.
 */

/** A part of the past in which an event must have happened, or must not. */
export interface SpanTerm {
  readonly fromMs: number;
  /** Exclusive; null for no end. */
  readonly toMs: number | null;
  readonly isNegated: boolean;
}

/** What an event must have. */
export interface EventTerms {
  /** A fact of each list; see matchesOf. Nothing has one of an empty list. */
  readonly facts: FactLists;
  /** Of no element a fact of each list. */
  readonly without: readonly FactLists[];
  readonly spans: readonly SpanTerm[];
}

/** The event by which a text names an issue. */
export interface MatchedEvent {
  readonly event_id: string;
  readonly issue_id: number;
  readonly occurred_ms: number;
}

export const MATCHED_COLUMNS = ['event_id', 'issue_id', 'occurred_ms'] as const;

/** Returns all facts that the terms name. */
export function factsOf({ facts, without }: EventTerms): FactLists {
  return [...facts, ...without.flat()];
}

/** Selects the events that may match: all that do, and few others. */
export function mayMatch(flavor: Flavor, { facts, without, spans }: EventTerms): RawBuilder<SqlBool> {
  const all = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
    sql`(${sql.join([sql`true`, ...conditions], sql` and `)})`;
  const isExcluded = (lists: FactLists): readonly RawBuilder<SqlBool>[] => {
    const surely = lists.map((some) => surelyHasOne(flavor, some)).filter((condition) => condition !== null);
    return surely.length < lists.length ? [] : [sql`${all(surely)} is not true`];
  };
  return all([
    ...facts.map((some) => mayHaveOne(flavor, some)),
    ...without.flatMap(isExcluded),
    ...spans.map(happenedIn),
  ]);
}

function happenedIn({ fromMs, toMs, isNegated }: SpanTerm): RawBuilder<SqlBool> {
  const end = toMs === null ? sql`` : sql` and occurred_ms < ${toMs}`;
  const within = sql<SqlBool>`(occurred_ms >= ${fromMs}${end})`;
  return isNegated ? sql`not ${within}` : within;
}

const CANDIDATE_COLUMNS = [
  ...MATCHED_COLUMNS,
  ...([
    'id',
    'release',
    'person',
    'host',
    'path',
    'environment',
    'server',
    'browser',
    'tags',
    'origin',
  ] as const),
] as const;

type CandidateColumns = (typeof CANDIDATE_COLUMNS)[number];

/** An event with all that {@link matches} reads. */
export type Candidate = Selectable<Pick<StoreTables['event'], CandidateColumns>> & {
  readonly hashes: Uint8Array | null;
};

/** Returns the events with these row ids. */
export async function candidatesOf(db: Database, ids: readonly number[]): Promise<readonly Candidate[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('event')
    .leftJoin('event_ids', 'event_ids.event', 'event.id')
    .select([...CANDIDATE_COLUMNS, 'hashes'])
    .where('id', 'in', ids)
    .execute();
}

/** Returns whether an event matches. */
export function matches({ hashes, ...row }: Candidate, { facts, without, spans }: EventTerms): boolean {
  const own = factFormsOf({ ...row, aliases: [], tags: tagsIn(row.tags) });
  const ids = hashes === null ? '' : Buffer.from(hashes).toString('hex');
  const hasAll = (lists: FactLists): boolean =>
    lists.every((some) =>
      some.some((fact) => own.some(([kind, value]) => isIn(fact, kind, value)) || isNameAmong(fact, ids)),
    );
  return hasAll(facts) && !without.some(hasAll) && spans.every((span) => isWithin(span, row.occurred_ms));
}

function isWithin({ fromMs, toMs, isNegated }: SpanTerm, timeMs: number): boolean {
  return (timeMs >= fromMs && (toMs === null || timeMs < toMs)) !== isNegated;
}

/** Returns whether a filter finds a fact. */
export function isIn({ kind, from, to }: FactMatch, of: number, value: string): boolean {
  return kind === of && (to === null ? value === from : value >= from && value < to);
}

function isNameAmong({ kind, from }: FactMatch, ids: string): boolean {
  return kind === PERSON_FACT && hashesOf([`user:${from}`]).some((hash) => ids.includes(hash));
}
