import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * Adds the events of each project by hour and source, from the hours of its issues, whose sum would read a row for each issue
 * and hour. The browser reports among earlier events count as events of browsers.
 */
export async function projectHours(
  db: Kysely<unknown>,
  { integer, keyedTableEnd }: ColumnTypes,
): Promise<void> {
  await db.schema
    .createTable('project_hour')
    .addColumn('hour_ms', integer, (column) => column.notNull())
    .addColumn('project_id', integer, (column) => column.notNull().references('project.id'))
    .addColumn('source', integer, (column) => column.notNull())
    // Replicas do not wait for each other's row.
    .addColumn('spool', integer, (column) => column.notNull())
    .addColumn('events', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('project_hour_key', ['hour_ms', 'project_id', 'source', 'spool'])
    .modifyEnd(keyedTableEnd)
    .execute();
  await sql`
    insert into project_hour (hour_ms, project_id, source, spool, events)
    select hour_ms, project_id, cast(case kind when 'browser' then 1 else 0 end as bigint), cast(0 as bigint), sum(issue_hour.events)
    from issue_hour join issue on issue.id = issue_hour.issue_id
    group by 1, 2, 3
  `.execute(db);
  // The trend shows the newest releases.
  await db.schema.createIndex('release_seen').on('release').column('first_seen_ms').execute();
}
