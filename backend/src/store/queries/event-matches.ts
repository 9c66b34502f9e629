import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { FoundIssue } from '../../contract/find-api.ts';
import { referenceOf } from '../../digest/crockford.ts';
import { HOUR_MS, isoTime } from '../../time/iso.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { type FactLists, PATH_FACT } from '../event/fact-forms.ts';
import { type IssueRow, selectIssues, summariesOf } from '../issues/read-issues.ts';
import type { PagePosition } from './cursor.ts';
import {
  type Candidate,
  candidatesOf,
  type EventTerms,
  factsOf,
  type MatchedEvent,
  matches,
  mayMatch,
} from './event-terms.ts';
import { columnsOf } from './fact-columns.ts';
import { isFact } from './find-conditions.ts';

/** Most issues have a matching event among so many. Each further step reads as many times more. */
const FIRST_ROWS = 8;
/** Rows of one step, for which a concurrent read waits: about 10 ms. */
const STEP_ROWS = 4_000;
/** Rows that are read for a page of issues: a user waits half a second for them. */
const MAX_ROWS = 200_000;

/** Returns the issues of events, in their order. */
export async function issuesOf(db: Database, events: readonly MatchedEvent[]): Promise<readonly IssueRow[]> {
  const order = [...new Set(events.map((event) => event.issue_id))];
  if (order.length === 0) return [];
  const rows = await selectIssues(db).where('issue.id', 'in', order).execute();
  return rows.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
}

/** Returns issues with their histograms, each with the first of the events that is its own. */
export async function foundIssues(
  db: Database,
  rows: readonly IssueRow[],
  events: readonly MatchedEvent[],
  nowMs: number,
): Promise<readonly FoundIssue[]> {
  const summaries = await summariesOf(db, rows, nowMs);
  return summaries.map((summary, at) => {
    const event = events.find(({ issue_id: issueId }) => issueId === rows[at]?.id);
    return { ...summary, match: event === undefined ? null : matchOf(event) };
  });
}

function matchOf({ event_id: eventId, occurred_ms: occurredMs }: MatchedEvent): FoundIssue['match'] {
  return { eventId, reference: referenceOf(eventId), time: isoTime(occurredMs) };
}

/** The events of an issue before a position, newest first. */
interface Walk {
  readonly issueId: number;
  readonly before: PagePosition;
}

/**
 * Returns for each issue its newest event that matches all terms. Facts name no event, but the hour in which they were
 * last seen, where the walk through the events begins. The row of an event has its release, place and first name, and its
 * ids have the other names.
 *
 * @param share part of the rows of a page that it may read.
 */
export async function newestMatches(
  context: QueryContext,
  issues: readonly IssueRow[],
  terms: EventTerms,
  share = 1,
): Promise<readonly Candidate[]> {
  const newest: Candidate[] = [];
  const { facts, without, spans } = terms;
  if (facts.length + without.length + spans.length === 0) return newest;
  const beforeMs = await lastSeenMs(context.db, issues, facts);
  const ends = spans.map(({ toMs, isNegated }) => (isNegated ? null : toMs));
  const endMs = Math.min(...ends.map((ms) => ms ?? Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
  let walks: readonly Walk[] = issues.map(({ id }) => ({
    issueId: id,
    before: { value: Math.min(beforeMs.get(id) ?? endMs, endMs), id: 0 },
  }));
  let read = 0;
  for (let rows = FIRST_ROWS; walks.length > 0 && read < share * MAX_ROWS; rows *= FIRST_ROWS) {
    rows = Math.min(rows, Math.ceil(STEP_ROWS / walks.length));
    read += rows * walks.length;
    const { found, rest } = await readStep(context, walks, rows, terms);
    newest.push(...found);
    walks = rest;
    // The embedded database is synchronous: without this no other request runs.
    await setImmediate();
  }
  return newest;
}

/**
 * Returns the end of the hour in which each issue last had a fact of each list. The beginning of a path is left
 * out: the paths with it are very many, of all issues, and one of them is in most events.
 */
async function lastSeenMs(
  db: Database,
  issues: readonly IssueRow[],
  facts: FactLists,
): Promise<ReadonlyMap<number, number>> {
  const ids = sql.join(issues.map(({ id }) => id));
  const hours = facts
    .filter((some) => some.every(({ kind, to }) => kind !== PATH_FACT || to === null))
    .flatMap((some, list) =>
      // Joined by `or`, a database reads all facts of the issue.
      some.map(
        (fact) => sql`select ${sql.lit(list)} as list, issue_id, last_seen_ms from issue_fact
          where ${isFact(fact)} and issue_id in (${ids})`,
      ),
    );
  if (hours.length === 0) return new Map();
  const { rows } = await sql<{ readonly issue_id: number; readonly seen_ms: number }>`
    select issue_id, min(seen_ms) as seen_ms from (
      select issue_id, max(last_seen_ms) as seen_ms from (${sql.join(hours, sql` union all `)}) as hour group by list, issue_id
    ) as seen group by issue_id
  `.execute(db);
  return new Map(rows.map((row) => [row.issue_id, row.seen_ms + HOUR_MS]));
}

/** What a step has read of a walk: a row that may match, and the last row; null where there is none. */
interface StepRow {
  readonly issue: number;
  readonly found: number | null;
  readonly last_ms: number | null;
  readonly last_id: number | null;
}

/** Reads the next rows of each walk. Returns the newest match of each, and the rest of the walks without one. */
async function readStep(
  { db, flavor }: QueryContext,
  walks: readonly Walk[],
  rows: number,
  terms: EventTerms,
): Promise<{ readonly found: readonly Candidate[]; readonly rest: readonly Walk[] }> {
  const positions = walks.map(({ issueId, before }) => {
    const numbers = [issueId, before.value, before.id].map((value) => sql`cast(${value} as bigint)`);
    return sql`(${sql.join(numbers)})`;
  });
  const next = sql`from event where event.issue_id = walk.issue and (event.occurred_ms, event.id) < (walk.ms, walk.id)
    order by event.occurred_ms desc, event.id desc`;
  const last = sql`${next} limit 1 offset ${rows - 1}`;
  const { rows: steps } = await sql<StepRow>`
    with walk (issue, ms, id) as (values ${sql.join(positions)})
    select issue, (
      select id from (select ${columnsOf(factsOf(terms))} ${next} limit ${rows}) as event
      where ${mayMatch(flavor, terms)} order by occurred_ms desc, id desc limit 1
    ) as found, (select occurred_ms ${last}) as last_ms, (select event.id ${last}) as last_id from walk
  `.execute(db);
  const candidates = await candidatesOf(
    db,
    steps.flatMap(({ found }) => found ?? []),
  );
  const found = candidates.filter((event) => matches(event, terms));
  const rest = steps.flatMap(({ issue: issueId, last_ms, last_id }): readonly Walk[] => {
    if (found.some((event) => event.issue_id === issueId)) return [];
    const other = candidates.find((event) => event.issue_id === issueId);
    if (other !== undefined) return [{ issueId, before: { value: other.occurred_ms, id: other.id } }];
    return last_ms === null || last_id === null ? [] : [{ issueId, before: { value: last_ms, id: last_id } }];
  });
  return { found, rest };
}
