import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * Creates the first schema. Each query of the console walks one index of it, so that its time does not grow with the number
 * of events.
 */
export async function first(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await settings(db, types);
  await issues(db, types);
  await issueFacts(db, types);
  await events(db, types);
  await feedback(db, types);
}

async function settings(db: Kysely<unknown>, { text, integer, id, tableEnd }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('setting')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', text, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable('project')
    .addColumn('id', id)
    .addColumn('dsn', text, (column) => column.notNull().unique())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable('session')
    .addColumn('token_hash', text, (column) => column.primaryKey())
    .addColumn('created_ms', integer, (column) => column.notNull())
    .addColumn('last_seen_ms', integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
}

async function issues(db: Kysely<unknown>, { id, integer, text, tableEnd }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('issue')
    .addColumn('id', id)
    .addColumn('project_id', integer, (column) => column.notNull().references('project.id'))
    .addColumn('digest_key', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('events', integer, (column) => column.notNull())
    .addColumn('first_seen_ms', integer, (column) => column.notNull())
    .addColumn('last_seen_ms', integer, (column) => column.notNull())
    .addColumn('first_release', text)
    .addColumn('last_release', text)
    // digest_key first: a look-up by digest covers all projects, ingest covers one.
    .addUniqueConstraint('issue_key', ['digest_key', 'project_id'])
    .modifyEnd(tableEnd)
    .execute();
  // A prefix of a digest is a range of this index.
  await db.schema.createIndex('issue_digest').on('issue').column('digest').execute();
  await db.schema.createIndex('issue_last_seen').on('issue').columns(['last_seen_ms', 'id']).execute();
}

async function issueFacts(db: Kysely<unknown>, { integer, text, tableEnd }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('issue_hour')
    .addColumn('issue_id', integer, (column) => column.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('hour_ms', integer, (column) => column.notNull())
    .addColumn('events', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('issue_hour_key', ['issue_id', 'hour_ms'])
    .modifyEnd(tableEnd)
    .execute();
  // For retention, which drops the oldest hours.
  await db.schema.createIndex('issue_hour_hour').on('issue_hour').column('hour_ms').execute();
  await db.schema
    .createTable('issue_relation')
    .addColumn('issue_id', integer, (column) => column.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('digest', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('issue_relation_key', ['issue_id', 'digest'])
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('issue_relation_digest').on('issue_relation').column('digest').execute();
}

async function events(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { id, integer, text, bytes, tableEnd } = types;
  await db.schema
    .createTable('event')
    .addColumn('id', id)
    .addColumn('project_id', integer, (column) => column.notNull().references('project.id'))
    .addColumn('event_id', text, (column) => column.notNull())
    .addColumn('issue_id', integer, (column) => column.notNull().references('issue.id'))
    .addColumn('received_ms', integer, (column) => column.notNull())
    .addColumn('occurred_ms', integer, (column) => column.notNull())
    .addColumn('release', text)
    .addColumn('environment', text)
    .addColumn('path', text)
    .addColumn('browser', text)
    .addColumn('person', text)
    .addColumn('bytes', integer, (column) => column.notNull())
    .addColumn('is_brief', integer, (column) => column.notNull())
    .addColumn('payload', bytes, (column) => column.notNull())
    // event_id first: a reference is a range of it, and a search names no project.
    .addUniqueConstraint('event_key', ['event_id', 'project_id'])
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('event_issue').on('event').columns(['issue_id', 'occurred_ms', 'id']).execute();
  // Retention walks it from the old end, and adds up `bytes` without touching a row.
  await db.schema.createIndex('event_received').on('event').columns(['received_ms', 'bytes']).execute();
}

async function feedback(db: Kysely<unknown>, { id, integer, text, tableEnd }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('feedback')
    .addColumn('id', id)
    .addColumn('project_id', integer, (column) => column.notNull().references('project.id'))
    .addColumn('feedback_id', text, (column) => column.notNull())
    .addColumn('event_id', text)
    .addColumn('issue_id', integer, (column) => column.references('issue.id').onDelete('cascade'))
    .addColumn('received_ms', integer, (column) => column.notNull())
    .addColumn('name', text)
    .addColumn('contact', text)
    .addColumn('message', text, (column) => column.notNull())
    .addColumn('url', text)
    .addUniqueConstraint('feedback_key', ['feedback_id', 'project_id'])
    .modifyEnd(tableEnd)
    .execute();
  // Feedback may come before its event, and then waits for it here.
  await db.schema.createIndex('feedback_event').on('feedback').column('event_id').execute();
  await db.schema.createIndex('feedback_issue').on('feedback').columns(['issue_id', 'received_ms']).execute();
  await db.schema.createIndex('feedback_received').on('feedback').column('received_ms').execute();
}
