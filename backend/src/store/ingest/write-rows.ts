import type { Database, StoreTransaction } from '../schema.ts';
import { adoptFeedback, insertFeedback } from './feedback-rows.ts';
import { countHours, relateIssues } from './issue-facts.ts';
import { countIssues, ensureIssues, type IssueEvent, type ProjectEvent } from './issue-rows.ts';
import type { NewRows } from './new-rows.ts';

/** What a row takes beside its payload, its place in the indexes included: measured at a million events. */
const ROW_BYTES = 400;

/**
 * Writes a batch in one transaction. What is known already (project and event id) is passed over and counted
 * nowhere, so that an envelope may come twice.
 *
 * Everything is written in the order of its key: replicas on one PostgreSQL that write the same issues then wait
 * for one another, and never for each other.
 */
export async function writeRows(db: Database, { events, feedback }: NewRows): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const projects = await projectIds(trx, [...events, ...feedback]);
    const fresh = await unknownEvents(trx, withProject(events, projects));
    if (fresh.length > 0) {
      const written = await insertEvents(trx, await ensureIssues(trx, fresh));
      await countIssues(trx, written);
      await countHours(trx, written);
      await relateIssues(trx, written);
      await adoptFeedback(trx, written);
    }
    if (feedback.length > 0) await insertFeedback(trx, withProject(feedback, projects));
  });
}

/** Id of each project by its DSN. */
type ProjectIds = ReadonlyMap<string, number>;

async function projectIds(
  trx: StoreTransaction,
  rows: readonly { readonly project: string }[],
): Promise<ProjectIds> {
  const dsns = [...new Set(rows.map(({ project }) => project))].toSorted();
  const select = trx.selectFrom('project').select(['id', 'dsn']).where('dsn', 'in', dsns);
  let known = await select.execute();
  const missing = dsns.filter((dsn) => known.every((row) => row.dsn !== dsn));
  if (missing.length > 0) {
    const rowsToAdd = missing.map((dsn) => ({ dsn }));
    await trx.insertInto('project').values(rowsToAdd).onConflict(doNothing).execute();
    known = await select.execute();
  }
  return new Map(known.map(({ id, dsn }) => [dsn, id]));
}

/** Every DSN of the batch is in the map by now: a missing one is a bug. */
function projectId(projects: ProjectIds, dsn: string): number {
  const id = projects.get(dsn);
  if (id === undefined) throw new Error('project has no row');
  return id;
}

function withProject<R extends { readonly project: string }>(rows: readonly R[], projects: ProjectIds) {
  return rows.map((row) => ({ ...row, projectId: projectId(projects, row.project) }));
}

/** The events that are neither in the database nor twice in the batch. */
async function unknownEvents(
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
async function insertEvents(
  trx: StoreTransaction,
  events: readonly IssueEvent[],
): Promise<readonly IssueEvent[]> {
  const rows = events.map((event) => ({
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
    bytes: event.payload.byteLength + ROW_BYTES,
    payload: event.payload,
  }));
  const written = await trx
    .insertInto('event')
    .values(rows)
    .onConflict(doNothing)
    .returning(['project_id', 'event_id'])
    .execute();
  const keys = new Set(written.map((row) => eventKey(row.event_id, row.project_id)));
  return events.filter((event) => keys.has(eventKey(event.eventId, event.projectId)));
}

function doNothing<T>(conflict: { doNothing(): T }): T {
  return conflict.doNothing();
}
