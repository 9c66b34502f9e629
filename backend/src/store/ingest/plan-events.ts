import { padded, runCompiled } from '../db/compiled-query.ts';
import { hourOf } from '../../time/iso.ts';
import type { Database } from '../db/schema.ts';
import { issueKey } from '../issues/issue-names.ts';
import { type IssueIds, issueIds } from './issue-rows.ts';
import type { ReadEvent } from './new-rows.ts';
import { projectId, type ProjectIds } from './project-rows.ts';

/**
 * Events of one issue and hour that are stored in full; above it every tenth, then every hundredth. A flood of one error
 * must not displace all others from the store. Brief events are counted and found by their ids.
 */
const FULL_EVENTS_AN_HOUR = 100;
const TENTHS_AN_HOUR = 1_000;

/** An event to be written, in full or in brief. */
export interface PlannedEvent {
  readonly read: ReadEvent;
  readonly projectId: number;
  readonly issueKey: string;
  readonly isFull: boolean;
}

export interface Plan {
  /** In the order of their keys: see writeRows. */
  readonly events: readonly PlannedEvent[];
  /** Ids of the existing issues. */
  readonly issueIds: IssueIds;
}

type Unplanned = Omit<PlannedEvent, 'isFull'>;

/**
 * Decides for each event of a batch whether it is new and whether it is stored in full, before it is scrubbed: scrubbing
 * a full event to store two lines of it took most of the time of a flood. Reads only, so that a bug in a later step
 * leaves no transaction open.
 */
export async function planEvents(
  db: Database,
  reads: readonly ReadEvent[],
  projects: ProjectIds,
): Promise<Plan> {
  const fresh = await unknownEvents(
    db,
    reads.map((read) => unplanned(read, projectId(projects, read.project))),
  );
  if (fresh.length === 0) return { events: [], issueIds: new Map() };
  const known = await issueIds(
    db,
    fresh.map(({ read }) => read.digest.key),
  );
  const counts = await countsOf(db, fresh, known);
  const events = fresh.map((event) => ({ ...event, isFull: isStoredInFull(numberOf(event, counts)) }));
  return { events, issueIds: known };
}

function unplanned(read: ReadEvent, id: number): Unplanned {
  return { read, projectId: id, issueKey: issueKey(read.digest.key, id) };
}

/** Returns the events that are not in the database, each once. */
async function unknownEvents(db: Database, events: readonly Unplanned[]): Promise<readonly Unplanned[]> {
  if (events.length === 0) return [];
  const byKey = new Map(events.map((event) => [eventKey(event.read.eventId, event.projectId), event]));
  const ids = padded(events.map(({ read }) => read.eventId));
  const { rows } = await runCompiled(db, `event keys ${ids.length}`, ids, () =>
    db.selectFrom('event').select(['project_id', 'event_id']).where('event_id', 'in', ids),
  );
  for (const row of rows) byKey.delete(eventKey(row.event_id, row.project_id));
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event);
}

function eventKey(eventId: string, project: number): string {
  return `${eventId} ${project}`;
}

/** Returns how many events of each issue and hour were counted so far. */
async function countsOf(
  db: Database,
  events: readonly Unplanned[],
  known: IssueIds,
): Promise<Map<string, number>> {
  const ids = padded(known.values());
  if (ids.length === 0) return new Map();
  const hours = padded(events.map(({ read }) => hourOf(read.occurredMs)));
  const name = `hours ${ids.length} ${hours.length}`;
  const { rows } = await runCompiled(db, name, [...ids, ...hours], () =>
    db
      .selectFrom('issue_hour')
      .select(['issue_id', 'hour_ms', 'events'])
      .where('issue_id', 'in', ids)
      .where('hour_ms', 'in', hours),
  );
  const keys = new Map([...known].map(([key, id]) => [id, key]));
  return new Map(rows.map((row) => [hourKey(keys.get(row.issue_id) ?? '', row.hour_ms), row.events]));
}

function hourKey(issue: string, hourMs: number): string {
  return `${issue} ${hourMs}`;
}

/** Returns how many events of the same issue and hour came before, and counts this one. */
function numberOf({ issueKey: issue, read }: Unplanned, counts: Map<string, number>): number {
  const key = hourKey(issue, hourOf(read.occurredMs));
  const number = counts.get(key) ?? 0;
  counts.set(key, number + 1);
  return number;
}

/** @param number how many of the same issue and hour came before. */
function isStoredInFull(number: number): boolean {
  if (number < FULL_EVENTS_AN_HOUR) return true;
  return number % (number < TENTHS_AN_HOUR ? 10 : 100) === 0;
}
