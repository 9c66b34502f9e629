import type { PolicyFinding } from '../../contract/delivery-api.ts';
import { type IssueSummary, PAGE_ROWS } from '../../contract/issues-api.ts';
import { VIOLATION } from '../../digest/report-digest.ts';
import type { QueryContext } from '../db/query-context.ts';
import { type IssueRow, selectIssues, summariesOf } from '../issues/read-issues.ts';
import { countIssues, listIssues } from './issue-list.ts';

export interface ViolationList {
  readonly violations: readonly (IssueSummary & Pick<PolicyFinding, 'networks'>)[];
  /** Number of open issues after them. Of all, 1,000 are counted. */
  readonly leftOut: number;
}

const FILTERS = { q: VIOLATION, kind: 'browser', status: 'open', project: '', sort: 'last' } as const;

/**
 * Lists the first open issues of violations: those that were counted, then the newest.
 *
 * @param counts networks that reported each, by the key of its digest, in the order of the list.
 */
export async function listViolations(
  context: QueryContext,
  counts: ReadonlyMap<string, number>,
): Promise<ViolationList> {
  const rows = await countedRows(context, [...counts.keys()]);
  const counted = await summariesOf(context.db, rows, context.now());
  const { issues } = await listIssues(context, PAGE_ROWS, null, FILTERS);
  const others = issues.filter(({ key }) => !counts.has(key));
  const first = [...counted, ...others].slice(0, PAGE_ROWS);
  const violations = first.map((issue) => ({ ...issue, networks: counts.get(issue.key) ?? 0 }));
  const total = await countIssues(context, FILTERS);
  return { violations, leftOut: Math.max(0, total - violations.length) };
}

/** Returns the first open issues in the order of the keys of their digests. */
async function countedRows({ db }: QueryContext, keys: readonly string[]): Promise<readonly IssueRow[]> {
  if (keys.length === 0) return [];
  const rows = await selectIssues(db)
    .where('issue.digest_key', 'in', keys)
    .where('issue.status', '=', 'open')
    .execute();
  const places = new Map(keys.map((key, place) => [key, place]));
  const placeOf = (row: IssueRow): number => places.get(row.digest_key) ?? 0;
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other)).slice(0, PAGE_ROWS);
}
