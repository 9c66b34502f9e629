import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Adds the files of served clients: a page of one build loads them from a replica that has another one. */
export async function clientFiles(
  db: Kysely<unknown>,
  { integer, text, bytes, tableEnd }: ColumnTypes,
): Promise<void> {
  await db.schema
    .createTable('client_file')
    .addColumn('path', text, (column) => column.primaryKey())
    .addColumn('coding', text, (column) => column.notNull())
    .addColumn('length', integer, (column) => column.notNull())
    .addColumn('size', integer, (column) => column.notNull())
    .addColumn('seen_ms', integer, (column) => column.notNull())
    // SQLite reads the columns before it without the pages of the content.
    .addColumn('body', bytes, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  // Retention looks for old ones every few minutes.
  await db.schema.createIndex('client_file_seen').on('client_file').column('seen_ms').execute();
}
