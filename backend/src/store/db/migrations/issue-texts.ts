import { type Kysely, sql } from 'kysely';
import { createTrigramIndex as createInPostgres } from '../postgres/text-index.ts';
import type { Flavor } from '../schema.ts';
import { createTrigramIndex as createInSqlite } from '../sqlite/text-index.ts';
import type { ColumnTypes } from './column-types.ts';

/** The words of each issue, and the one index that the two databases have each in its own way. */
export async function issueTexts(
  db: Kysely<unknown>,
  { integer, text, tableEnd }: ColumnTypes,
  flavor: Flavor,
): Promise<void> {
  await db.schema
    .createTable('issue_text')
    .addColumn('issue_id', integer, (column) =>
      column.primaryKey().references('issue.id').onDelete('cascade'),
    )
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('fingerprint', text, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await (flavor === 'sqlite' ? createInSqlite(db) : createInPostgres(db));
  // Of before, the title; the rest comes with the next event.
  await sql`
    insert into issue_text (issue_id, body, fingerprint) select id, lower(title), '' from issue
  `.execute(db);
}
