import { setImmediate } from 'node:timers/promises';
import type { FoundIssue } from '../../contract/find-api.ts';
import { referenceOf } from '../../digest/crockford.ts';
import { HOUR_MS, isoTime } from '../../time/iso.ts';
import type { Database } from '../db/schema.ts';
import { hashOf } from '../event/event-ids.ts';
import { type FactMatch, factFormsOf, PATH_FACT, PERSON_FACT } from '../event/fact-forms.ts';
import { type IssueRow, summariesOf } from '../issues/read-issues.ts';
import { isFact } from './find-conditions.ts';
import type { FindTerms } from './find-terms.ts';

/** The event by which a text names an issue. */
export interface MatchedEvent {
  readonly event_id: string;
  readonly issue_id: number;
  readonly occurred_ms: number;
}

export const MATCHED_COLUMNS = ['event_id', 'issue_id', 'occurred_ms'] as const;

/** Events of an issue that are read: of a page of 50 issues 50,000. */
const MAX_EVENTS = 1_000;
/** Most issues have a matching event among so many. */
const FIRST_EVENTS = 20;

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

/**
 * Returns for each issue its newest event that matches all filters. Facts name no event, but the hour in which they were
 * last seen, where the walk through the events begins. The row of an event has its release, place and first name, and its
 * ids have the other names.
 */
export async function newestMatches(
  db: Database,
  issues: readonly IssueRow[],
  facts: FindTerms['facts'],
): Promise<readonly MatchedEvent[]> {
  const matches: MatchedEvent[] = [];
  if (facts.length === 0) return matches;
  for (const { id } of issues) {
    const walk = { issueId: id, beforeMs: await lastSeenMs(db, id, facts), facts };
    const match =
      (await matchIn(db, walk, 0, FIRST_EVENTS)) ?? (await matchIn(db, walk, FIRST_EVENTS, MAX_EVENTS));
    if (match !== undefined) matches.push(match);
    // The embedded database is synchronous: without this no other request runs.
    await setImmediate();
  }
  return matches;
}

/**
 * Returns the end of the hour in which an issue last had a fact of each list. Paths are left out: those below a prefix are
 * very many, of all issues, and one of them is in most events.
 */
async function lastSeenMs(db: Database, issueId: number, facts: FindTerms['facts']): Promise<number> {
  let beforeMs = Number.MAX_SAFE_INTEGER;
  for (const some of facts) {
    if (some.some(({ kind }) => kind === PATH_FACT)) continue;
    let seenMs: number | null = null;
    for (const fact of some) {
      const { seen } = await db
        .selectFrom('issue_fact')
        .select((row) => row.fn.max<number | null>('last_seen_ms').as('seen'))
        .where(isFact(fact))
        .where('issue_id', '=', issueId)
        .executeTakeFirstOrThrow();
      if (seen !== null) seenMs = Math.max(seen, seenMs ?? 0);
    }
    if (seenMs !== null) beforeMs = Math.min(beforeMs, seenMs + HOUR_MS);
  }
  return beforeMs;
}

/** A walk through the events of an issue, newest first. */
interface EventWalk {
  readonly issueId: number;
  readonly beforeMs: number;
  readonly facts: FindTerms['facts'];
}

async function matchIn(
  db: Database,
  { issueId, beforeMs, facts }: EventWalk,
  from: number,
  to: number,
): Promise<MatchedEvent | undefined> {
  const rows = await db
    .selectFrom('event')
    .leftJoin('event_ids', 'event_ids.event', 'event.id')
    .select([...MATCHED_COLUMNS, 'release', 'person', 'host', 'path', 'hashes'])
    .where('issue_id', '=', issueId)
    .where('occurred_ms', '<', beforeMs)
    .orderBy('occurred_ms', 'desc')
    .orderBy('id', 'desc')
    .offset(from)
    .limit(to - from)
    .execute();
  return rows.find(({ hashes, ...row }) => {
    const own = factFormsOf({ ...row, aliases: [] });
    const ids = hashes === null ? '' : Buffer.from(hashes).toString('hex');
    return facts.every((some) =>
      some.some((fact) => own.some(([kind, value]) => isIn(fact, kind, value)) || isNameAmong(fact, ids)),
    );
  });
}

function isIn({ kind, from, to }: FactMatch, of: number, value: string): boolean {
  return kind === of && (to === null ? value === from : value >= from && value < to);
}

function isNameAmong({ kind, from }: FactMatch, ids: string): boolean {
  return kind === PERSON_FACT && ids.includes(hashOf(`user:${from}`));
}
