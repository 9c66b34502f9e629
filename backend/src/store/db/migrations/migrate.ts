import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database, Flavor, StoreDatabase } from '../schema.ts';
import { initial } from './001-initial.ts';
import { columnTypes } from './column-types.ts';

/** The schema of the database is newer than this version of Errata: its columns and their meaning are unknown. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}

/**
 * Migrates the database to the schema of this version. Replicas that start together wait for each other: the Migrator
 * holds an advisory lock of PostgreSQL.
 *
 * @throws NewerSchema, or the error of a database that is not reachable.
 */
export async function migrate({ db, flavor, openForMigrations }: StoreDatabase): Promise<void> {
  const own = openForMigrations?.();
  try {
    await migrateOn(own ?? db, flavor);
  } finally {
    await own?.destroy();
  }
}

async function migrateOn(db: Database, flavor: Flavor): Promise<void> {
  const types = columnTypes(flavor);
  // The names order the migrations and are stored in the database: never rename one.
  const migrations: Record<string, Migration> = {
    '001-initial': { up: (to) => initial(to, types, flavor) },
  };
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const own = Object.keys(migrations).at(-1) ?? '';
  const newest = await newestIn(db);
  throw newest > own ? new NewerSchema(`its schema ${newest} is newer than ${own} of this version`) : error;
}

/** Returns the name of the last migration of a database. */
async function newestIn(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1
  `.execute(db);
  return rows[0]?.name ?? '';
}
