import { type Kysely, sql } from 'kysely';
import { createTrigramIndex as createInPostgres } from '../postgres/text-index.ts';
import type { Flavor } from '../schema.ts';
import { createTrigramIndex as createInSqlite } from '../sqlite/text-index.ts';
import type { ColumnTypes } from './column-types.ts';

/**
 * Creates the first schema. Each query of the console walks one index of it, so that its time does not grow with the number
 * of events.
 */
export async function initial(db: Kysely<unknown>, types: ColumnTypes, flavor: Flavor): Promise<void> {
  await settings(db, types);
  await issues(db, types);
  await notes(db, types);
  await issueFacts(db, types);
  await issueTexts(db, types, flavor);
  await events(db, types);
  await feedback(db, types);
  await access(db, types);
  await erasures(db, types);
  await outbox(db, types);
  await maps(db, types);
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
  // Deleted events stay counted.
  await db.schema
    .createTable('counter')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  // Orders releases: the later one of two is the one that was first seen later.
  await db.schema
    .createTable('release')
    .addColumn('project_id', integer, (column) => column.notNull().references('project.id'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('first_seen_ms', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('release_key', ['project_id', 'name'])
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
    .addColumn('status', text, (column) => column.notNull().defaultTo('open'))
    .addColumn('status_ms', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('resolved_release', text)
    .addColumn('regressed_ms', integer)
    .addColumn('users', integer, (column) => column.notNull().defaultTo(0))
    // digest_key first: a look-up by digest covers all projects, ingest covers one.
    .addUniqueConstraint('issue_key', ['digest_key', 'project_id'])
    .modifyEnd(tableEnd)
    .execute();
  // A prefix of a digest is a range of this index.
  await db.schema.createIndex('issue_digest').on('issue').columns(['digest', 'project_id']).execute();
  await db.schema.createIndex('issue_last_seen').on('issue').columns(['last_seen_ms', 'id']).execute();
  // Lists the open issues, newest first, without reading the others.
  await db.schema.createIndex('issue_status').on('issue').columns(['status', 'last_seen_ms', 'id']).execute();
  // An index for each other order of the list: a page costs the same for any number of issues.
  for (const column of ['first_seen_ms', 'events', 'users'])
    await db.schema.createIndex(`issue_${column}`).on('issue').columns([column, 'id']).execute();
}

async function notes(db: Kysely<unknown>, { id, integer, text, tableEnd }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('note')
    .addColumn('id', id)
    .addColumn('issue_id', integer, (column) => column.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('at_ms', integer, (column) => column.notNull())
    .addColumn('author', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('note_issue').on('note').columns(['issue_id', 'id']).execute();
}

async function issueFacts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { integer, text, tableEnd, keyedTableEnd } = types;
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
  // Releases, users and paths of an issue: the filters `release:`, `user:` and `url:` read ranges of this table.
  await db.schema
    .createTable('issue_fact')
    .addColumn('kind', integer, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('issue_id', integer, (column) => column.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('last_seen_ms', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('issue_fact_key', ['kind', 'value', 'issue_id'])
    .modifyEnd(keyedTableEnd)
    .execute();
  // Checks a path filter for one issue, and counts its facts.
  await db.schema
    .createIndex('issue_fact_issue')
    .on('issue_fact')
    .columns(['issue_id', 'kind', 'value'])
    .execute();
}

/** Creates the search text of each issue and its trigram index, which differs between the two databases. */
async function issueTexts(db: Kysely<unknown>, types: ColumnTypes, flavor: Flavor): Promise<void> {
  const { integer, text, tableEnd } = types;
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
}

async function events(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { uniqueId, integer, text, bytes, tableEnd } = types;
  await db.schema
    .createTable('event')
    .addColumn('id', uniqueId)
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
    // The spool it came through: only its replica knows the delivery status of the event.
    .addColumn('spool', integer, (column) => column.notNull())
    // event_id first: a reference is a range of it, and a search names no project.
    .addUniqueConstraint('event_key', ['event_id', 'project_id'])
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('event_issue').on('event').columns(['issue_id', 'occurred_ms', 'id']).execute();
  // Retention walks it from the old end, and adds up `bytes` without touching a row.
  await db.schema.createIndex('event_received').on('event').columns(['received_ms', 'bytes']).execute();
  // An erasure finds brief events by name alone. An index of all events would write one more page for each event.
  await sql`create index event_brief_person on event (person) where is_brief = 1`.execute(db);
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
  await sql`create index feedback_alone on feedback (received_ms, id) where issue_id is null`.execute(db);
}

async function access(db: Kysely<unknown>, { id, integer, text, tableEnd }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('session')
    .addColumn('token_hash', text, (column) => column.primaryKey())
    .addColumn('id', text, (column) => column.notNull().unique())
    .addColumn('who', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('way', text, (column) => column.notNull())
    .addColumn('token_proof', text)
    .addColumn('created_ms', integer, (column) => column.notNull())
    .addColumn('last_seen_ms', integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createTable('audit')
    .addColumn('id', id)
    .addColumn('at_ms', integer, (column) => column.notNull())
    .addColumn('who', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('target', text)
    .addColumn('detail', text)
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('audit_at').on('audit').columns(['at_ms', 'id']).execute();
}

/** Erasure rules for all replicas: each replica applies them to its own spool. */
async function erasures(db: Kysely<unknown>, { id, integer, text, tableEnd }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('erasure')
    .addColumn('id', id)
    .addColumn('at_ms', integer, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('salt', text, (column) => column.notNull())
    .addColumn('finished_ms', integer)
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('erasure_at').on('erasure').column('at_ms').execute();
}

/** Queued webhook deliveries: written in the transaction of their issue, so that none is lost. */
async function outbox(db: Kysely<unknown>, { id, integer, text, tableEnd }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('webhook_delivery')
    .addColumn('id', id)
    .addColumn('delivery_id', text, (column) => column.notNull())
    .addColumn('event', text, (column) => column.notNull())
    .addColumn('issue_id', integer, (column) => column.references('issue.id').onDelete('cascade'))
    .addColumn('new_issues', integer, (column) => column.notNull())
    .addColumn('regressed_issues', integer, (column) => column.notNull())
    .addColumn('created_ms', integer, (column) => column.notNull())
    .addColumn('due_ms', integer, (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema
    .createIndex('webhook_delivery_due')
    .on('webhook_delivery')
    .columns(['due_ms', 'id'])
    .execute();
  await db.schema
    .createTable('webhook_summary_issue')
    .addColumn('summary_id', integer, (column) =>
      column.notNull().references('webhook_delivery.id').onDelete('cascade'),
    )
    .addColumn('place', integer, (column) => column.notNull())
    .addColumn('issue_id', integer, (column) => column.notNull().references('issue.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('webhook_summary_issue_key', ['summary_id', 'place'])
    .modifyEnd(tableEnd)
    .execute();
  // Deleting an issue deletes its deliveries, which this index finds.
  for (const table of ['webhook_delivery', 'webhook_summary_issue'])
    await db.schema.createIndex(`${table}_issue`).on(table).column('issue_id').execute();
}

/** Source maps by content: the stack of a tab that was opened before a deploy can still be mapped. */
async function maps(db: Kysely<unknown>, { integer, text, bytes, tableEnd }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('source_map')
    .addColumn('debug_id', text, (column) => column.primaryKey())
    .addColumn('script', text, (column) => column.notNull())
    .addColumn('release', text)
    .addColumn('seen_ms', integer, (column) => column.notNull())
    .addColumn('size', integer, (column) => column.notNull())
    .addColumn('body', bytes, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  await db.schema.createIndex('source_map_script').on('source_map').columns(['script', 'seen_ms']).execute();
  await db.schema.createIndex('source_map_seen').on('source_map').columns(['seen_ms', 'size']).execute();
}
