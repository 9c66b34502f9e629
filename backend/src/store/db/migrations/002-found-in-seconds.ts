import { type Kysely, sql } from 'kysely';
import type { Flavor } from '../schema.ts';
import type { ColumnTypes } from './column-types.ts';
import { issueTexts } from './issue-texts.ts';

/** A release in issue_fact. A literal: a migration keeps its meaning when the code moves on. */
const RELEASE_KIND = 1;

/**
 * What people say about issues (status, notes), what issues are found by beside their digest, who looked, and what is
 * kept over releases (source maps).
 */
export async function foundInSeconds(db: Kysely<unknown>, types: ColumnTypes, flavor: Flavor): Promise<void> {
  await triage(db, types);
  await orders(db);
  await naming(db, types);
  await facts(db, types);
  await issueTexts(db, types, flavor);
  await access(db, types);
  await upkeep(db, types);
  await outbox(db, types);
}

async function triage(db: Kysely<unknown>, { id, integer, text, tableEnd }: ColumnTypes): Promise<void> {
  const add = (column: string, type: typeof text, initial: string | number | null) =>
    db.schema
      .alterTable('issue')
      .addColumn(column, type, (to) => (initial === null ? to : to.notNull().defaultTo(initial)))
      .execute();
  await add('status', text, 'open');
  await add('status_ms', integer, 0);
  await add('resolved_release', text, null);
  await add('regressed_ms', integer, null);
  await add('users', integer, 0);
  // The list of open issues, newest first, whatever number of others there is.
  await db.schema.createIndex('issue_status').on('issue').columns(['status', 'last_seen_ms', 'id']).execute();
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

/** Each order of a list is a walk of its index, whatever the number of issues. */
async function orders(db: Kysely<unknown>): Promise<void> {
  for (const column of ['first_seen_ms', 'events', 'users'])
    await db.schema.createIndex(`issue_${column}`).on('issue').columns([column, 'id']).execute();
  await sql`create index feedback_alone on feedback (received_ms, id) where issue_id is null`.execute(db);
}

async function naming(db: Kysely<unknown>, { integer, text, tableEnd }: ColumnTypes): Promise<void> {
  // Which of two releases is the later one: the one that was seen first later.
  await db.schema
    .createTable('release')
    .addColumn('project_id', integer, (column) => column.notNull().references('project.id'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('first_seen_ms', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('release_key', ['project_id', 'name'])
    .modifyEnd(tableEnd)
    .execute();
  // Of before, only what the issues themselves say; events tell the rest as they come.
  await sql`
    insert into release (project_id, name, first_seen_ms)
    select project_id, name, min(seen_ms) from (
      select project_id, first_release as name, first_seen_ms as seen_ms from issue
      union all select project_id, last_release, last_seen_ms from issue
    ) as seen where name is not null group by project_id, name
  `.execute(db);
}

async function facts(db: Kysely<unknown>, { integer, text, keyedTableEnd }: ColumnTypes): Promise<void> {
  // Releases, people and paths of an issue: what `release:`, `user:` and `url:` are ranges of.
  await db.schema
    .createTable('issue_fact')
    .addColumn('kind', integer, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('issue_id', integer, (column) => column.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('last_seen_ms', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('issue_fact_key', ['kind', 'value', 'issue_id'])
    .modifyEnd(keyedTableEnd)
    .execute();
  // Whether one issue has a path below another, and how many facts it has.
  await db.schema
    .createIndex('issue_fact_issue')
    .on('issue_fact')
    .columns(['issue_id', 'kind', 'value'])
    .execute();
  await sql`
    insert into issue_fact (kind, value, issue_id, last_seen_ms)
    select ${sql.lit(RELEASE_KIND)}, last_release, id, last_seen_ms - last_seen_ms % 3600000
    from issue where last_release is not null
  `.execute(db);
  // What an erasure finds by name alone, see briefEventsOf. With all events in it each one would write a page more.
  await sql`create index event_brief_person on event (person) where is_brief = 1`.execute(db);
}

async function access(db: Kysely<unknown>, { id, integer, text, tableEnd }: ColumnTypes): Promise<void> {
  // Sessions of before knew neither names nor roles: people sign in again.
  await db.schema.dropTable('session').execute();
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
  // What is to be forgotten, for all replicas: each has a spool of its own.
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
  // Deleting an issue looks its deliveries up.
  for (const table of ['webhook_delivery', 'webhook_summary_issue'])
    await db.schema.createIndex(`${table}_issue`).on(table).column('issue_id').execute();
}

async function upkeep(db: Kysely<unknown>, { integer, text, bytes, tableEnd }: ColumnTypes): Promise<void> {
  // Which spool an event came through: of several replicas only that one's knows what became of it.
  await db.schema.alterTable('event').addColumn('spool', integer).execute();
  // What was deleted stays counted.
  await db.schema
    .createTable('counter')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  // Source maps by content: a tab that was opened a release ago still maps.
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
