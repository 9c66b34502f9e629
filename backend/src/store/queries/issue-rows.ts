import { sql } from 'kysely';
import type { IssueList, IssueSummary } from '../../contract/console-api.ts';
import type { Database } from '../schema.ts';
import { pageOf, placeOf } from './cursor.ts';

/** An issue with its project's DSN: what every list shows. */
export function selectIssues(db: Database) {
  return db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.id', 'issue.digest', 'issue.digest_key', 'issue.kind', 'issue.title', 'issue.events'])
    .select(['issue.first_seen_ms', 'issue.last_seen_ms', 'issue.first_release', 'issue.last_release'])
    .select('project.dsn');
}

export type IssueRow = Awaited<ReturnType<ReturnType<typeof selectIssues>['execute']>>[number];

export function summaryOf(row: IssueRow): IssueSummary {
  return {
    project: row.dsn,
    digest: row.digest,
    key: row.digest_key,
    kind: row.kind,
    title: row.title,
    events: row.events,
    firstSeen: timeText(row.first_seen_ms),
    lastSeen: timeText(row.last_seen_ms),
    release: row.last_release,
  };
}

/** ISO 8601 in UTC. */
export function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** Newest first. */
export async function listIssues(db: Database, limit: number, cursor: string | null): Promise<IssueList> {
  const place = placeOf(cursor);
  const rows = await selectIssues(db)
    // A comparison of pairs, and not two joined by `or`: only this one is a range of the index.
    .$if(place !== null, (query) =>
      query.where(sql<boolean>`(issue.last_seen_ms, issue.id) < (${place?.timeMs}, ${place?.id})`),
    )
    .orderBy('issue.last_seen_ms', 'desc')
    .orderBy('issue.id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, (row) => ({ timeMs: row.last_seen_ms, id: row.id }));
  return { issues: page.rows.map(summaryOf), next: page.next };
}
