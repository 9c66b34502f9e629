import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { EventList, SearchedEvents } from '../../contract/event-api.ts';
import { isoTime } from '../../time/iso.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { ALIAS_FACT, type FactMatch, PERSON_FACT, personFact } from '../event/fact-forms.ts';
import { cursorAt, type PagePosition } from './cursor.ts';
import { type Candidate, candidatesOf, type EventTerms, factsOf, matches, mayMatch } from './event-terms.ts';
import { columnsOf } from './fact-columns.ts';
import { isFact } from './find-conditions.ts';
import { readTerms } from './find-terms.ts';

/** Searches the events of one issue. No index serves it: each would be one more page to write for each event. */

/** Events that a search reads: a user waits 0.2 s for them, and the next page reads on. */
export const MAX_EVENTS_READ = 20_000;
/** Events of one step, which takes SQLite 6 ms: each query of a concurrent read waits for one. */
const STEP_ROWS = 1_000;
/** Events that are compared at once: a page has 50. */
const COMPARED_ROWS = 200;
/** First names that one name of a user may stand for: more users with the same one are no single user. */
const MAX_NAMES = 20;

/** What is read: the events of an issue before a position, until so many match. */
export interface EventScan {
  readonly issueId: number;
  readonly terms: EventTerms;
  readonly position: PagePosition | null;
  readonly wanted: number;
}

/** The events that match, newest first, and all that were read. */
export interface ScannedEvents {
  readonly found: readonly Candidate[];
  readonly read: readonly PagePosition[];
  /** Whether no older event is left. */
  readonly isEnd: boolean;
}

/** Returns the terms of a search that events can have; null for a search without any. */
export async function eventTermsOf(
  { db, now }: QueryContext,
  issueId: number,
  q: string | null,
): Promise<EventTerms | null> {
  const { facts, without, spans } = readTerms(q ?? '', now());
  if (facts.length + without.length + spans.length === 0) return null;
  const named = (lists: EventTerms['facts']) =>
    Promise.all(lists.map((some) => withFirstNames(db, issueId, some)));
  return { facts: await named(facts), without: await Promise.all(without.map(named)), spans };
}

/** Adds the names by which other events have the same user: an event has only the first name of its user. */
async function withFirstNames(
  db: Database,
  issueId: number,
  some: readonly FactMatch[],
): Promise<readonly FactMatch[]> {
  const names = new Set<string>();
  // One at a time: joined by `or`, a database reads all facts of the issue.
  for (const match of some.filter(({ kind }) => kind === ALIAS_FACT)) {
    const rows = await db
      .selectFrom('issue_fact')
      .select('value')
      .where('issue_id', '=', issueId)
      .where(isFact(match))
      .limit(MAX_NAMES)
      .execute();
    for (const { value } of rows) names.add(personFact(value.replace(/^.*\n/, '')));
  }
  const persons = [...names].slice(0, MAX_NAMES);
  return [...some, ...persons.map((from): FactMatch => ({ kind: PERSON_FACT, from, to: null }))];
}

/** Reads the events of an issue, newest first, in steps between which other requests run: the embedded database is synchronous. */
export async function scanEvents(context: QueryContext, scan: EventScan): Promise<ScannedEvents> {
  const { terms, wanted } = scan;
  const isSearch = terms.facts.length + terms.without.length + terms.spans.length > 0;
  const stepRows = isSearch ? STEP_ROWS : wanted;
  const found: Candidate[] = [];
  const read: PagePosition[] = [];
  // Nothing has a fact of an empty list.
  if (terms.facts.some((some) => some.length === 0)) return { found, read, isEnd: true };
  while (read.length < MAX_EVENTS_READ) {
    const from = read.at(-1) ?? scan.position;
    const step = await positionsBefore(context.db, scan.issueId, from, stepRows);
    const ids = isSearch ? await idsThatMayMatch(context, scan, from) : step.map(({ id }) => id);
    const isMatch = (event: Candidate): boolean => !isSearch || matches(event, terms);
    found.push(...(await matchesAmong(context.db, ids, isMatch, wanted - found.length)));
    read.push(...step);
    if (found.length >= wanted || step.length < stepRows)
      return { found: found.slice(0, wanted), read, isEnd: step.length < stepRows };
    await setImmediate();
  }
  return { found, read, isEnd: false };
}

/** Returns the events before a position; the query reads its index alone. */
async function positionsBefore(
  db: Database,
  issueId: number,
  position: PagePosition | null,
  rows: number,
): Promise<readonly PagePosition[]> {
  const found = await db
    .selectFrom('event')
    .select(['occurred_ms', 'id'])
    .where(isBefore(issueId, position))
    .orderBy('occurred_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(rows)
    .execute();
  return found.map(({ occurred_ms: value, id }) => ({ value, id }));
}

/** A comparison of pairs is a range of the index. */
function isBefore(issueId: number, position: PagePosition | null) {
  const before =
    position === null ? sql`` : sql` and (event.occurred_ms, event.id) < (${position.value}, ${position.id})`;
  return sql<boolean>`event.issue_id = ${issueId}${before}`;
}

async function idsThatMayMatch(
  { db, flavor }: QueryContext,
  { issueId, terms }: EventScan,
  position: PagePosition | null,
): Promise<readonly number[]> {
  const { rows } = await sql<{ readonly id: number }>`
    select id from (
      select ${columnsOf(factsOf(terms))} from event where ${isBefore(issueId, position)}
      order by event.occurred_ms desc, event.id desc limit ${sql.lit(STEP_ROWS)}
    ) as event
    where ${mayMatch(flavor, terms)} order by occurred_ms desc, id desc
  `.execute(db);
  return rows.map(({ id }) => id);
}

async function matchesAmong(
  db: Database,
  ids: readonly number[],
  isMatch: (event: Candidate) => boolean,
  wanted: number,
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (let from = 0; from < ids.length && found.length < wanted; from += COMPARED_ROWS) {
    const candidates = await candidatesOf(db, ids.slice(from, from + COMPARED_ROWS));
    const newestFirst = candidates.toSorted(
      (one, other) => other.occurred_ms - one.occurred_ms || other.id - one.id,
    );
    found.push(...newestFirst.filter(isMatch));
    await setImmediate();
  }
  return found;
}

/** Returns how far a search has read: up to its last event, where more than it match. */
export function searchedBy(
  { read, isEnd }: ScannedEvents,
  last: Candidate | undefined,
): { readonly searched: SearchedEvents } & Pick<EventList, 'next'> {
  const end = last === undefined ? read.length : read.findIndex(({ id }) => id === last.id) + 1;
  const oldest = read[end - 1];
  const isAll = isEnd && last === undefined;
  return {
    searched: { events: end, since: oldest === undefined ? null : isoTime(oldest.value), isAll },
    next: isAll || oldest === undefined ? null : cursorAt(oldest),
  };
}
