import { type RawBuilder, sql } from 'kysely';
import type { IssueSort, IssueSummary } from '../../contract/issues-api.ts';
import type { Database } from '../db/schema.ts';
import { type PagePosition, pageOf, positionOf } from './cursor.ts';
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

/** Position and length of a page. */
export type PageRange = Pick<PageRequest, 'cursor' | 'limit'>;

/** A stranger can make any number of issues: a search lists those of a server before them. */
export const CONFIRMED_FIRST: readonly Condition[] = [
  sql`issue.is_confirmed = 1`,
  sql`issue.is_confirmed = 0`,
];

/** Names of the ranks in a cursor. */
const RANKS = 'abcdefgh';

/** Selects a page, largest or newest first. */
async function rowsOfPage(db: Database, { conditions, sort, cursor, limit }: PageRequest) {
  const column = COLUMNS[sort];
  const position = positionOf(cursor, sort);
  const rows = await rowsFrom(db, conditions, column, position, limit + 1);
  return pageOf(
    rows,
    limit,
    (row) => ({ value: row[column], id: row.id }),
    () => sort,
  );
}

/**
 * Selects a page of ranks, each of which is the conditions of its issues, or null without any: those of the first one come
 * first, in a rank the issue that was seen last. Each rank is read in the order of the index, where an order by rank would sort all issues.
 */
export async function rowsByRank(
  db: Database,
  ranks: readonly (readonly Condition[] | null)[],
  { cursor, limit }: PageRange,
): Promise<{
  readonly rows: readonly { readonly row: IssueRow; readonly rank: number }[];
  readonly next: string | null;
}> {
  const found: { readonly row: IssueRow; readonly rank: number }[] = [];
  const first = ranks.findIndex((_, rank) => positionOf(cursor, RANKS[rank]) !== null);
  for (const [rank, conditions] of ranks.entries()) {
    if (conditions === null || rank < first || found.length > limit) continue;
    const position = positionOf(cursor, RANKS[rank]);
    const rows = await rowsFrom(db, conditions, 'last_seen_ms', position, limit + 1 - found.length);
    found.push(...rows.map((row) => ({ row, rank })));
  }
  return pageOf(
    found,
    limit,
    ({ row }) => ({ value: row.last_seen_ms, id: row.id }),
    ({ rank }) => RANKS[rank] ?? '',
  );
}

async function rowsFrom(
  db: Database,
  conditions: readonly Condition[],
  column: Column,
  position: PagePosition | null,
  limit: number,
): Promise<readonly IssueRow[]> {
  let query = selectIssues(db);
  for (const condition of conditions) query = query.where(condition);
  // A comparison of pairs is a range of the index; two comparisons joined by `or` are not.
  if (position !== null) {
    query = query.where(
      sql<boolean>`(${sql.ref(`issue.${column}`)}, issue.id) < (${position.value}, ${position.id})`,
    );
  }
  return query.orderBy(`issue.${column}`, 'desc').orderBy('issue.id', 'desc').limit(limit).execute();
}

/** Returns a page of issues with their histograms. */
export async function pageOfIssues(db: Database, request: PageRequest, nowMs: number): Promise<IssuePage> {
  const { rows, next } = await rowsOfPage(db, request);
  return { issues: await summariesOf(db, rows, nowMs), next };
}
