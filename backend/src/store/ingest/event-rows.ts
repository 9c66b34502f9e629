import { hourOf } from '../hours.ts';
import type { StoreTransaction } from '../schema.ts';
import { briefOf, encodeStoredEvent } from '../stored-event.ts';
import type { IssueEvent, ProjectEvent } from './issue-rows.ts';

/** What a row takes beside its payload, its place in the indexes included: measured at a million events. */
const ROW_BYTES = 400;

/**
 * Events of one issue and hour that are kept in full; of more, every tenth, then every hundredth. A flood of one
 * error must not push the others out of the store (faults.md S21). Each is still counted, and found by its id.
 */
const FULL_EVENTS_AN_HOUR = 100;
const TENTHS_AN_HOUR = 1_000;

/** The events that are neither in the database nor twice in the batch. */
export async function unknownEvents(
  trx: StoreTransaction,
  events: readonly ProjectEvent[],
): Promise<readonly ProjectEvent[]> {
  if (events.length === 0) return [];
  const byKey = new Map(events.map((event) => [eventKey(event.eventId, event.projectId), event]));
  const eventIds = [...new Set(events.map(({ eventId }) => eventId))];
  const known = await trx
    .selectFrom('event')
    .select(['project_id', 'event_id'])
    .where('event_id', 'in', eventIds)
    .execute();
  for (const row of known) byKey.delete(eventKey(row.event_id, row.project_id));
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event);
}

function eventKey(eventId: string, project: number): string {
  return `${eventId} ${project}`;
}

/** Gives those that were written: another replica may have written the same one since the look before. */
export async function insertEvents(
  trx: StoreTransaction,
  events: readonly IssueEvent[],
): Promise<readonly IssueEvent[]> {
  const isFull = await chooseFull(trx, events);
  const rows = events.map((event) => rowOf(event, isFull.has(event)));
  const written = await trx
    .insertInto('event')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['project_id', 'event_id'])
    .execute();
  const keys = new Set(written.map((row) => eventKey(row.event_id, row.project_id)));
  return events.filter((event) => keys.has(eventKey(event.eventId, event.projectId)));
}

function rowOf(event: IssueEvent, isFull: boolean) {
  const payload = encodeStoredEvent(isFull ? event.stored : briefOf(event.stored));
  return {
    project_id: event.projectId,
    event_id: event.eventId,
    issue_id: event.issueId,
    received_ms: event.receivedMs,
    occurred_ms: event.occurredMs,
    release: event.release,
    environment: event.environment,
    path: event.path,
    browser: event.browser,
    person: event.person,
    bytes: payload.byteLength + ROW_BYTES,
    is_brief: isFull ? 0 : 1,
    payload,
  };
}

/** Numbers the events of each issue and hour on from what was counted before. */
async function chooseFull(
  trx: StoreTransaction,
  events: readonly IssueEvent[],
): Promise<ReadonlySet<IssueEvent>> {
  const hours = await trx
    .selectFrom('issue_hour')
    .select(['issue_id', 'hour_ms', 'events'])
    .where('issue_id', 'in', [...new Set(events.map(({ issueId }) => issueId))])
    .where('hour_ms', 'in', [...new Set(events.map(({ occurredMs }) => hourOf(occurredMs)))])
    .execute();
  const counts = new Map(hours.map((row) => [`${row.issue_id} ${row.hour_ms}`, row.events]));
  const full = events.filter(({ issueId, occurredMs }) => {
    const key = `${issueId} ${hourOf(occurredMs)}`;
    const number = counts.get(key) ?? 0;
    counts.set(key, number + 1);
    return isKeptInFull(number);
  });
  return new Set(full);
}

/** @param number how many of the same issue and hour came before. */
function isKeptInFull(number: number): boolean {
  if (number < FULL_EVENTS_AN_HOUR) return true;
  return number % (number < TENTHS_AN_HOUR ? 10 : 100) === 0;
}
