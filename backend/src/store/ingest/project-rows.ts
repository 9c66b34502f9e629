import { padded, runCompiled } from '../db/compiled-query.ts';
import type { Database } from '../db/schema.ts';

/** Id of each project by its DSN. */
export type ProjectIds = ReadonlyMap<string, number>;

/** The ids of projects, made where they are new: outside of any transaction, as a project without an event harms nobody. */
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

/** Every DSN of the batch is in the map by now: a missing one is a bug. */
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
