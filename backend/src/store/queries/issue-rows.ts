import { sql } from 'kysely';
import type { IssueSummary } from '../../contract/issues-api.ts';
import type { Database } from '../schema.ts';
import { hoursOfIssues } from './issue-hours.ts';
import { timeText } from './time-text.ts';

/** An issue with its project's DSN: what every list shows. */
export function selectIssues(db: Database) {
  return (
    db
      .selectFrom('issue')
      .select(['issue.id', 'issue.project_id', 'issue.digest', 'issue.digest_key', 'issue.kind'])
      .select(['issue.title', 'issue.events'])
      .select(['issue.first_seen_ms', 'issue.last_seen_ms', 'issue.first_release', 'issue.last_release'])
      .select(['issue.status', 'issue.resolved_release', 'issue.regressed_ms', 'issue.users'])
      // No join: a database may begin with the project, and then sort all issues for one page.
      .select(sql<string>`(select dsn from project where project.id = issue.project_id)`.as('dsn'))
  );
}

export type IssueRow = Awaited<ReturnType<ReturnType<typeof selectIssues>['execute']>>[number];

/** What lists and answers show alike. */
export function headOf(row: IssueRow): Omit<IssueSummary, 'hours'> {
  return {
    project: row.dsn,
    digest: row.digest,
    key: row.digest_key,
    kind: row.kind,
    title: row.title,
    events: row.events,
    users: row.users,
    firstSeen: timeText(row.first_seen_ms),
    lastSeen: timeText(row.last_seen_ms),
    release: row.last_release,
    status: row.status,
    resolvedIn: row.resolved_release,
    regressed: row.regressed_ms === null ? null : timeText(row.regressed_ms),
  };
}

export async function summariesOf(
  db: Database,
  rows: readonly IssueRow[],
  nowMs: number,
): Promise<readonly IssueSummary[]> {
  const ids = rows.map((row) => row.id);
  const hours = await hoursOfIssues(db, ids, nowMs);
  return rows.map((row) => ({ ...headOf(row), hours: hours.get(row.id) ?? [] }));
}
