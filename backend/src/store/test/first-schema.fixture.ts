import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { columnTypes } from '../db/migrations/column-types.ts';
import { initial } from '../db/migrations/001-initial.ts';
import type { Database } from '../db/schema.ts';
import { PROJECT } from './envelopes.fixture.ts';

/** Makes the schema of the first version in SQLite, with one issue, whose project and row have the id 1. */
export async function makeFirstSchema(db: Database): Promise<void> {
  const up = (to: Kysely<unknown>) => initial(to, columnTypes('sqlite'), 'sqlite');
  const provider = { getMigrations: () => Promise.resolve({ '001-initial': { up } }) };
  await new Migrator({ db, provider }).migrateToLatest();
  await sql`insert into project (dsn) values (${PROJECT})`.execute(db);
  await sql`
    insert into issue (project_id, digest_key, digest, kind, title, events, first_seen_ms, last_seen_ms)
    values (1, 'key', '7KQ4-M2XD', 'server', 'full', 1, 0, 0)
  `.execute(db);
}
