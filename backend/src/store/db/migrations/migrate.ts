import { type Migration, Migrator } from 'kysely/migration';
import type { Database, Flavor, StoreDatabase } from '../schema.ts';
import { first } from './001-first.ts';
import { foundInSeconds } from './002-found-in-seconds.ts';
import { columnTypes } from './column-types.ts';

/**
 * Migrates the database to the schema of this version. Replicas that start together wait for each other: the Migrator
 * holds an advisory lock of PostgreSQL.
 *
 * @throws when the database is not reachable, or its schema is newer than this version.
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
    '001-first': { up: (to) => first(to, types) },
    '002-found-in-seconds': { up: (to) => foundInSeconds(to, types, flavor) },
  };
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
