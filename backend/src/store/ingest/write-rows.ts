import type { Database, StoreTransaction } from '../schema.ts';
import { insertEvents, unknownEvents } from './event-rows.ts';
import { adoptFeedback, insertFeedback } from './feedback-rows.ts';
import { countHours, relateIssues } from './issue-facts.ts';
import { countIssues, ensureIssues } from './issue-rows.ts';
import type { NewRows } from './new-rows.ts';

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

function doNothing<T>(conflict: { doNothing(): T }): T {
  return conflict.doNothing();
}
