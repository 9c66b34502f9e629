import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * Replaces the tables of the webhook by one with a target for each message. Queued deliveries are dropped: they do not name their
 * target, are a day old at most, and the console shows their issues.
 */
export async function alerts(
  db: Kysely<unknown>,
  { id, integer, text, tableEnd }: ColumnTypes,
): Promise<void> {
  await db.schema.dropTable('webhook_summary_issue').execute();
  await db.schema.dropTable('webhook_delivery').execute();
  await sql`delete from counter where name like 'webhook%'`.execute(db);
  await db.schema
    .createTable('alert')
    .addColumn('id', id)
    .addColumn('delivery_id', text, (column) => column.notNull())
    .addColumn('target', text, (column) => column.notNull())
    .addColumn('event', text, (column) => column.notNull())
    .addColumn('issue_id', integer, (column) => column.references('issue.id').onDelete('cascade'))
    .addColumn('summary_id', integer, (column) => column.references('alert.id').onDelete('cascade'))
    .addColumn('created_ms', integer, (column) => column.notNull())
    .addColumn('due_ms', integer)
    .addColumn('tried_ms', integer)
    .addColumn('sent_ms', integer)
    .addColumn('attempts', integer, (column) => column.notNull())
    .addColumn('reason', text)
    .addColumn('is_confirmed', integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  // Each few seconds a process looks for due messages, and each claim counts those of the last minute, hour or day.
  await db.schema.createIndex('alert_due').on('alert').columns(['target', 'due_ms']).execute();
  await db.schema.createIndex('alert_tried').on('alert').columns(['target', 'tried_ms']).execute();
  // Deleting an issue deletes its alerts, and a summary that was sent those behind it.
  for (const column of ['issue_id', 'summary_id'])
    await db.schema.createIndex(`alert_${column}`).on('alert').column(column).execute();
}
