import { sql } from 'kysely';
import {
  type HiddenByFilter,
  ISSUE_STATUSES,
  type IssueList,
  type IssueQuery,
} from '../../contract/issues-api.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Condition } from './issue-page.ts';
import { pageSize } from './cursor.ts';
import { pageOfIssues } from './issue-page.ts';
import { conditionsFor } from './find-conditions.ts';
import { readTerms } from './find-terms.ts';

type Filter = HiddenByFilter['filter'];
type Filters = Pick<IssueQuery, Filter | 'sort'>;

const NO_FILTER: Pick<IssueQuery, Filter> = { q: '', status: 'all', kind: 'all', project: '' };
const FILTERS: readonly Filter[] = ['q', 'status', 'kind', 'project'];
/** Most issues that are counted, in a list or behind a filter. */
const MAX_COUNTED = 1_000;

const ALL_ISSUES: Filters = { ...NO_FILTER, sort: 'last' };

/** Lists issues, largest or newest first. Where the first page is empty, it counts the issues that each filter hides. */
export async function listIssues(
  context: QueryContext,
  wanted: number,
  cursor: string | null,
  filters: Partial<Omit<IssueQuery, 'cursor'>> = {},
): Promise<Omit<IssueList, 'total'>> {
  const query = { ...ALL_ISSUES, ...filters };
  const { sort } = query;
  const limit = pageSize(wanted);
  const conditions = await conditionsOf(context, query);
  const page =
    conditions === null
      ? { issues: [], next: null }
      : await pageOfIssues(context.db, { conditions, sort, cursor, limit }, context.now());
  const isWhole = page.issues.length > 0 || cursor !== null;
  return isWhole ? page : { ...page, hidden: await hiddenBy(context, query) };
}

/** Returns the conditions of the filters; null where no issue can meet them. */
async function conditionsOf(context: QueryContext, filters: Filters): Promise<readonly Condition[] | null> {
  const { q, status, kind, project, sort } = filters;
  const conditions: Condition[] = [];
  // In other orders the status is hidden from the planner, which otherwise reads and sorts all issues that have it.
  const column = sort === 'last' ? sql`issue.status` : sql`(issue.status || '')`;
  if (status !== 'all' && !hasStatus(q, context.now())) conditions.push(sql`${column} = ${status}`);
  if (kind !== 'all') conditions.push(sql`issue.kind = ${kind}`);
  if (project !== '') {
    conditions.push(sql`issue.project_id = (select id from project where dsn = ${project})`);
  }
  if (q.trim() === '') return conditions;
  const search = await conditionsFor(context, q);
  return search === null ? null : [...conditions, ...search];
}

/** `is:ignored` wins over the filter by status. */
function hasStatus(q: string, nowMs: number): boolean {
  return readTerms(q, nowMs).states.some(
    (state) => 'is' in state && ISSUE_STATUSES.some((status) => status === state.is),
  );
}

/** Counts the issues without each filter, for the filters that hide any. */
async function hiddenBy(context: QueryContext, query: Filters): Promise<readonly HiddenByFilter[]> {
  const hidden: HiddenByFilter[] = [];
  for (const filter of FILTERS) {
    if (query[filter] === NO_FILTER[filter]) continue;
    const issues = await countIssues(context, { ...query, [filter]: NO_FILTER[filter] });
    if (issues > 0) hidden.push({ filter, issues });
  }
  return hidden;
}

/** Counts the issues that pass all filters, up to 1,000. A count has no order, so the index on the status serves it. */
export async function countIssues(context: QueryContext, filters: Filters): Promise<number> {
  const conditions = await conditionsOf(context, { ...filters, sort: 'last' });
  if (conditions === null) return 0;
  let found = context.db.selectFrom('issue').select('issue.id').limit(MAX_COUNTED);
  for (const condition of conditions) found = found.where(condition);
  const { issues } = await context.db
    .selectFrom(found.as('found'))
    .select((row) => row.fn.countAll<number>().as('issues'))
    .executeTakeFirstOrThrow();
  return issues;
}
