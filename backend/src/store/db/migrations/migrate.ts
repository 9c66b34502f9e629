import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Flavor } from '../schema.ts';
import { first } from './001-first.ts';
import { foundInSeconds } from './002-found-in-seconds.ts';
import { columnTypes } from './column-types.ts';

/**
 * Brings the database to this version's layout. Replicas that start together wait for one another: the
 * Migrator holds PostgreSQL's advisory lock.
 *
 * @throws when the database is not reachable, or holds a layout newer than this version knows.
 */
export async function migrate<T>(db: Kysely<T>, flavor: Flavor): Promise<void> {
  const types = columnTypes(flavor);
  // Names order the migrations and are kept in the database: never rename one.
  const migrations: Record<string, Migration> = {
    '001-first': { up: (to) => first(to, types) },
    '002-found-in-seconds': { up: (to) => foundInSeconds(to, types, flavor) },
  };
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
