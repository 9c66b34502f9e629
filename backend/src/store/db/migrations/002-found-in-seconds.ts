import { type Kysely, sql } from 'kysely';
import { createTrigramIndex as createInPostgres } from '../postgres/text-index.ts';
import type { Flavor } from '../schema.ts';
import { createTrigramIndex as createInSqlite } from '../sqlite/text-index.ts';
import type { ColumnTypes } from './column-types.ts';

/** Kind of a release in issue_fact. A literal, because a migration must keep its meaning when the code changes. */
const RELEASE_KIND = 1;

/**
 * Adds status and notes of issues, the facts and texts by which a search finds them, sessions with roles, the audit log,
 * erasure rules, the outbox, counters and stored source maps.
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
  // Lists the open issues, newest first, without reading the others.
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

/** Adds an index for each order of the issue list, so that a page costs the same for any number of issues. */
async function orders(db: Kysely<unknown>): Promise<void> {
  for (const column of ['first_seen_ms', 'events', 'users'])
    await db.schema.createIndex(`issue_${column}`).on('issue').columns([column, 'id']).execute();
  await sql`create index feedback_alone on feedback (received_ms, id) where issue_id is null`.execute(db);
}

async function naming(db: Kysely<unknown>, { integer, text, tableEnd }: ColumnTypes): Promise<void> {
  // Orders releases: the later one of two is the one that was first seen later.
  await db.schema
    .createTable('release')
    .addColumn('project_id', integer, (column) => column.notNull().references('project.id'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('first_seen_ms', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('release_key', ['project_id', 'name'])
    .modifyEnd(tableEnd)
    .execute();
  // Existing issues know two of their releases; new events add the others.
  await sql`
    insert into release (project_id, name, first_seen_ms)
    select project_id, name, min(seen_ms) from (
      select project_id, first_release as name, first_seen_ms as seen_ms from issue
      union all select project_id, last_release, last_seen_ms from issue
    ) as seen where name is not null group by project_id, name
  `.execute(db);
}

async function facts(db: Kysely<unknown>, { integer, text, keyedTableEnd }: ColumnTypes): Promise<void> {
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
  await sql`
    insert into issue_fact (kind, value, issue_id, last_seen_ms)
    select ${sql.lit(RELEASE_KIND)}, last_release, id, last_seen_ms - last_seen_ms % 3600000
    from issue where last_release is not null
  `.execute(db);
  // Brief events, which an erasure finds by name alone (briefEventsOf). An index of all events would write one more page
  // for each event.
  await sql`create index event_brief_person on event (person) where is_brief = 1`.execute(db);
}

async function access(db: Kysely<unknown>, { id, integer, text, tableEnd }: ColumnTypes): Promise<void> {
  // Earlier sessions have neither names nor roles: users sign in again.
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
  // Erasure rules for all replicas: each replica applies them to its own spool.
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

async function upkeep(db: Kysely<unknown>, { integer, text, bytes, tableEnd }: ColumnTypes): Promise<void> {
  // The spool that an event came through: only its replica knows the delivery status of the event.
  await db.schema.alterTable('event').addColumn('spool', integer).execute();
  // Deleted events stay counted.
  await db.schema
    .createTable('counter')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  // Source maps by content: the stack of a tab that was opened before a deploy can still be mapped.
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

/** Adds the search text of each issue and its trigram index, which differs between the two databases. */
async function issueTexts(
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
  // Existing issues get their title; the next event of each writes the rest.
  await sql`
    insert into issue_text (issue_id, body, fingerprint) select id, lower(title), '' from issue
  `.execute(db);
}
