import { sql } from 'kysely';
import type { IssueName } from '../../contract/event-api.ts';
import type { IssueSummary } from '../../contract/issues-api.ts';
import type { Database } from '../db/schema.ts';
import { hoursOfIssues } from './issue-hours.ts';
import { isoTime } from '../../time/iso.ts';

/**
 * Selects the columns of a name; the query selects the DSN itself. `is_shared` is 1 where another issue has the same
 * digest, `is_ambiguous` where one of the same project has it, else 0. Issues that are less confirmed do not count: a stranger
 * can make them, and would change the links of others. A scalar subquery probes an index once; no
 * planner turns it into a join.
 */
export function nameColumns() {
  const other = sql`select 1 from issue as other where other.digest = issue.digest
    and other.id <> issue.id and other.is_confirmed >= issue.is_confirmed`;
  return [
    'issue.digest',
    'issue.digest_key',
    sql<number>`case when (${other} limit 1) is not null then 1 else 0 end`.as('is_shared'),
    sql<number>`case when (${other} and other.project_id = issue.project_id limit 1) is not null then 1 else 0 end`.as(
      'is_ambiguous',
    ),
  ] as const;
}

/** Selects issues with their project's DSN, for lists and answers. */
export function selectIssues(db: Database) {
  return (
    db
      .selectFrom('issue')
      .select(['issue.id', 'issue.project_id', 'issue.kind', 'issue.title', 'issue.events'])
      .select(['issue.first_seen_ms', 'issue.last_seen_ms', 'issue.first_release', 'issue.last_release'])
      .select(['issue.status', 'issue.resolved_release', 'issue.regressed_ms', 'issue.users'])
      .select(['issue.is_confirmed', 'issue.page_line'])
      // No join: a planner may begin with the project and then sort all issues for one page.
      .select(sql<string>`(select dsn from project where project.id = issue.project_id)`.as('dsn'))
      .select(nameColumns())
  );
}

export type IssueRow = Awaited<ReturnType<ReturnType<typeof selectIssues>['execute']>>[number];

export type NamedRow = Pick<IssueRow, 'dsn' | 'digest' | 'digest_key' | 'is_shared' | 'is_ambiguous'>;

/** Returns the name of an issue from {@link nameColumns}. */
export function nameOf(row: NamedRow): IssueName {
  return { project: row.dsn, digest: row.digest, address: addressOf(row), isShared: row.is_shared === 1 };
}

/** Returns the text that names an issue within its project, see {@link IssueName.address}. */
export function addressOf(row: Pick<IssueRow, 'digest' | 'digest_key' | 'is_ambiguous'>): string {
  return row.is_ambiguous === 1 ? row.digest_key : row.digest;
}

/** Returns the members that lists and answers share. */
export function headOf(row: IssueRow): Omit<IssueSummary, 'hours'> {
  return {
    ...nameOf(row),
    key: row.digest_key,
    kind: row.kind,
    isConfirmed: row.is_confirmed === 1,
    title: row.title,
    events: row.events,
    users: row.users,
    firstSeen: isoTime(row.first_seen_ms),
    lastSeen: isoTime(row.last_seen_ms),
    release: row.last_release,
    status: row.status,
    resolvedIn: row.resolved_release,
    regressed: row.regressed_ms === null ? null : isoTime(row.regressed_ms),
  };
}

/** Returns rows of a list with their histograms. */
export async function summariesOf(
  db: Database,
  rows: readonly IssueRow[],
  nowMs: number,
): Promise<readonly IssueSummary[]> {
  const ids = rows.map((row) => row.id);
  const hours = await hoursOfIssues(db, ids, nowMs);
  return rows.map((row) => ({ ...headOf(row), hours: hours.get(row.id) ?? [] }));
}
