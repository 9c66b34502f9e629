import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { isRefusedRole, UnusableDatabase } from '../database-errors.ts';
import type { Database, Flavor, StoreDatabase } from '../schema.ts';
import { initial } from './001-initial.ts';
import { eventExcess } from './002-event-excess.ts';
import { feedbackExcess } from './003-feedback-excess.ts';
import { eventHost } from './004-event-host.ts';
import { eventOrigin } from './005-event-origin.ts';
import { eventIds } from './006-event-ids.ts';
import { eventServer } from './007-event-server.ts';
import { confirmedIssues } from './008-confirmed-issues.ts';
import { clientFiles } from './009-client-files.ts';
import { alerts } from './010-alerts.ts';
import { pageLine } from './011-page-line.ts';
import { feedbackOrigin } from './012-feedback-origin.ts';
import { projectHours } from './013-project-hours.ts';
import { eventTags } from './014-event-tags.ts';
import { issueLevel } from './015-issue-level.ts';
import { columnTypes } from './column-types.ts';

/** Key of the lock that a migration holds in PostgreSQL. */
const LOCK = 5_353_002_617;

/**
 * Migrates the database to the schema of this version. Replicas that start together wait for each other.
 *
 * @throws UnusableDatabase, or the error of a database that is not reachable or read-only.
 */
export async function migrate({ db, flavor, openForMigrations, room }: StoreDatabase): Promise<void> {
  const own = openForMigrations?.();
  room?.setMigrating(true);
  try {
    await (flavor === 'sqlite' ? migrateFile(db) : migrateServer(own ?? db));
  } finally {
    room?.setMigrating(false);
    await own?.destroy();
  }
}

async function migrateFile(db: Database): Promise<void> {
  await rejectForeign(db);
  await migrateToLatest(db, 'sqlite');
}

/**
 * Everything is one transaction, also the lock: behind a pooler in transaction mode no session outlasts it.
 *
 * @throws UnusableDatabase also with the words of a server that refuses to create the tables.
 */
async function migrateServer(db: Database): Promise<void> {
  await rejectEncoding(db);
  try {
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
      await migrateToLatest(trx, 'postgres', await schemaOf(trx));
    });
  } catch (error) {
    if (isRefusedRole(error)) throw new UnusableDatabase(error.message, { cause: error });
    throw error;
  }
}

/** @param schema of the table in which the names of the migrations are. Without it Kysely accepts one of any schema. */
async function migrateToLatest(db: Database, flavor: Flavor, schema?: string): Promise<void> {
  const types = columnTypes(flavor);
  // The names order the migrations and are stored in the database: never rename one.
  const migrations: Record<string, Migration> = {
    '001-initial': { up: (to) => initial(to, types, flavor) },
    '002-event-excess': { up: (to) => eventExcess(to, types) },
    '003-feedback-excess': { up: (to) => feedbackExcess(to, types) },
    '004-event-host': { up: (to) => eventHost(to, types) },
    '005-event-origin': { up: (to) => eventOrigin(to, types) },
    '006-event-ids': { up: (to) => eventIds(to, types) },
    '007-event-server': { up: (to) => eventServer(to, types) },
    '008-confirmed-issues': { up: (to) => confirmedIssues(to, types) },
    '009-client-files': { up: (to) => clientFiles(to, types) },
    '010-alerts': { up: (to) => alerts(to, types) },
    '011-page-line': { up: (to) => pageLine(to, types) },
    '012-feedback-origin': { up: (to) => feedbackOrigin(to, types) },
    '013-project-hours': { up: (to) => projectHours(to, types) },
    '014-event-tags': { up: (to) => eventTags(to, types) },
    '015-issue-level': { up: (to) => issueLevel(to, types) },
  };
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const own = Object.keys(migrations).at(-1) ?? '';
  // A database that cannot be read has failed before, and the first error has the reason.
  const known = await migrationsIn(db).catch(() => []);
  const unknown = known.find((name) => !(name in migrations));
  if (unknown === undefined) throw error;
  throw new UnusableDatabase(
    `another version of Errata made it: its schema is ${unknown}, this version has ${own}`,
  );
}

/** @throws UnusableDatabase for an encoding that lacks some of the characters of errors, or does not know characters at all. */
async function rejectEncoding(db: Database): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8') throw new UnusableDatabase(`its encoding is ${encoding}, expected UTF8`);
}

/**
 * Returns the schema in which the connection finds the tables, or else creates them.
 *
 * @throws UnusableDatabase with the words of the server where its `search_path` names none that is there and may be used.
 */
async function schemaOf(db: Database): Promise<string> {
  const { rows } = await sql<{ schema: string | null; path: string }>`
    select current_setting('search_path') as path, coalesce(
      (
        select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where pg_class.oid = to_regclass(${DEFAULT_MIGRATION_TABLE})
      ),
      current_schema()
    ) as schema
  `.execute(db);
  const { schema = null, path = '' } = rows[0] ?? {};
  if (schema !== null) return schema;
  throw new UnusableDatabase(`no schema has been selected to create in: its search_path is ${path}`);
}

/**
 * Kysely makes its own table before all others, so a first start that was killed leaves none without it.
 *
 * @throws UnusableDatabase when the file holds tables of another program, which the first migration would join.
 */
async function rejectForeign(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!'
  `.execute(db);
  const names = rows.map(({ name }) => name);
  if (names.length === 0 || names.includes(DEFAULT_MIGRATION_TABLE)) return;
  throw new UnusableDatabase(`another program made it: it has the table ${names[0]}`);
}

/** Returns the names of the migrations that a database has had, the last one first. */
async function migrationsIn(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name desc
  `.execute(db);
  return rows.map(({ name }) => name);
}
