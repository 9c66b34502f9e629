import { padded, runCompiled } from '../db/compiled-query.ts';
import type { Database, StoreTransaction } from '../db/schema.ts';
import type { TransactionCache } from './ingest-cache.ts';
import type { NewEvent } from './new-rows.ts';

/** Id of each project by its DSN. */
export type ProjectIds = ReadonlyMap<string, number>;

/** Returns the ids of projects and creates new ones, outside of any transaction: a project without events is harmless. */
export async function projectIds(
  db: Database,
  rows: readonly { readonly project: string }[],
): Promise<ProjectIds> {
  const dsns = new Set(rows.map(({ project }) => project));
  const known = await selectIds(db, dsns);
  const missing = [...dsns].filter((dsn) => !known.has(dsn)).toSorted();
  if (missing.length === 0) return known;
  await db
    .insertInto('project')
    .values(missing.map((dsn) => ({ dsn })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return selectIds(db, dsns);
}

/** Returns the id of a project of the batch. @throws where the map lacks it, which is a bug. */
export function projectId(projects: ProjectIds, dsn: string): number {
  const id = projects.get(dsn);
  if (id === undefined) throw new Error('project has no row');
  return id;
}

async function selectIds(db: Database, dsns: ReadonlySet<string>): Promise<ProjectIds> {
  const list = padded(dsns);
  const { rows } = await runCompiled(db, `project ids ${list.length}`, list, () =>
    db.selectFrom('project').select(['id', 'dsn']).where('dsn', 'in', list),
  );
  return new Map(rows.map(({ id, dsn }) => [dsn, id]));
}

/** Writes the releases that are new. Where their names say no order, the one that was first seen later is the later one. */
export async function recordReleases(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  { cache, changes }: TransactionCache,
): Promise<void> {
  const rows = new Map<string, { project_id: number; name: string; first_seen_ms: number }>();
  for (const { projectId: id, release, receivedMs } of events) {
    const key = `${id} ${release}`;
    if (release === null || cache.releases.get(key) === true) continue;
    const earlier = rows.get(key)?.first_seen_ms ?? receivedMs;
    rows.set(key, { project_id: id, name: release, first_seen_ms: Math.min(earlier, receivedMs) });
  }
  if (rows.size === 0) return;
  const inOrder = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await trx
    .insertInto('release')
    .values(inOrder.map(([, row]) => row))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  for (const [key] of inOrder) changes.add(cache.releases, key, true);
}
