import { type RawBuilder, sql } from 'kysely';
import type { IssueSort, IssueSummary } from '../../contract/issues-api.ts';
import type { Database } from '../db/schema.ts';
import { pageOf, positionOf } from './cursor.ts';
import { type IssueRow, selectIssues, summariesOf } from '../issues/read-issues.ts';

/** A condition on a row. */
export type Condition = RawBuilder<boolean>;

export interface IssuePage {
  readonly issues: readonly IssueSummary[];
  readonly next: string | null;
}

/** Filters, order, position and length of a page. Each order has an index. */
export interface PageRequest {
  readonly conditions: readonly Condition[];
  readonly sort: IssueSort;
  readonly cursor: string | null;
  readonly limit: number;
}

type Column = 'last_seen_ms' | 'first_seen_ms' | 'events' | 'users';

const COLUMNS: Readonly<Record<IssueSort, Column>> = {
  last: 'last_seen_ms',
  first: 'first_seen_ms',
  events: 'events',
  users: 'users',
};

/** Selects a page, largest or newest first. */
export async function rowsOfPage(
  db: Database,
  { conditions, sort, cursor, limit }: PageRequest,
): Promise<{ readonly rows: readonly IssueRow[]; readonly next: string | null }> {
  const column = COLUMNS[sort];
  const position = positionOf(cursor, sort);
  let query = selectIssues(db);
  for (const condition of conditions) query = query.where(condition);
  // A comparison of pairs is a range of the index; two comparisons joined by `or` are not.
  if (position !== null) {
    query = query.where(
      sql<boolean>`(${sql.ref(`issue.${column}`)}, issue.id) < (${position.value}, ${position.id})`,
    );
  }
  const rows = await query
    .orderBy(`issue.${column}`, 'desc')
    .orderBy('issue.id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => ({ value: row[column], id: row.id }), sort);
}

/** Returns a page of issues with their histograms. */
export async function pageOfIssues(db: Database, request: PageRequest, nowMs: number): Promise<IssuePage> {
  const { rows, next } = await rowsOfPage(db, request);
  return { issues: await summariesOf(db, rows, nowMs), next };
}
