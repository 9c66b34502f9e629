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

interface ReleaseRow {
  readonly project_id: number;
  readonly name: string;
  readonly first_seen_ms: number;
  readonly is_confirmed: number;
}

/**
 * Writes the releases that are new, or have their first confirmed event. Where their names say no order, the one that was
 * first seen later is the later one; an earlier time that a stranger has sent does not count.
 */
export async function recordReleases(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  { cache, changes }: TransactionCache,
): Promise<void> {
  const rows = new Map<string, ReleaseRow>();
  for (const { projectId: id, release, receivedMs, isConfirmed } of events) {
    const key = `${id} ${release}`;
    const is_confirmed = isConfirmed ? 1 : 0;
    if (release === null || (cache.releases.get(key) ?? -1) >= is_confirmed) continue;
    const earlier = rows.get(key);
    if (earlier !== undefined && earlier.is_confirmed > is_confirmed) continue;
    const isSame = earlier?.is_confirmed === is_confirmed;
    const first_seen_ms = Math.min(isSame ? earlier.first_seen_ms : Infinity, receivedMs);
    rows.set(key, { project_id: id, name: release, first_seen_ms, is_confirmed });
  }
  if (rows.size === 0) return;
  const inOrder = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await trx
    .insertInto('release')
    .values(inOrder.map(([, row]) => row))
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'name'])
        .doUpdateSet((row) => ({
          first_seen_ms: row.ref('excluded.first_seen_ms'),
          is_confirmed: row.ref('excluded.is_confirmed'),
        }))
        .whereRef('release.is_confirmed', '<', 'excluded.is_confirmed'),
    )
    .execute();
  for (const [key, row] of inOrder) changes.add(cache.releases, key, row.is_confirmed);
}
