import {
  ISSUE_SORTS,
  type IssueQuery,
  KIND_FILTERS,
  STATUS_FILTERS,
} from '@errata/backend/contract/issues-api.ts';
import { ANY_ISSUE } from '../../api/issues.ts';
import { counted, formatCount } from '../../ui/format/count.ts';
import { ISSUES_PATH } from '../shared/paths.ts';

/** Value of `status` for unlinked feedback. */
const FEEDBACK = 'feedback';

function oneOf<Value extends string>(values: readonly Value[], value: string | null, fallback: Value): Value {
  return values.find((known) => known === value) ?? fallback;
}

/** Reads the query from the address; unknown values give the default. */
export function readIssueQuery(parameters: URLSearchParams): IssueQuery {
  return {
    q: (parameters.get('q') ?? '').trim(),
    status: oneOf(STATUS_FILTERS, parameters.get('status'), ANY_ISSUE.status),
    kind: oneOf(KIND_FILTERS, parameters.get('kind'), ANY_ISSUE.kind),
    project: parameters.get('project') ?? '',
    sort: oneOf(ISSUE_SORTS, parameters.get('sort'), ANY_ISSUE.sort),
    cursor: parameters.get('cursor'),
  };
}

/** Returns the address of a list, without default values; a changed filter starts at the first page. */
export function issuesPath(query: IssueQuery, change: Partial<IssueQuery> = {}): string {
  const wanted = { ...query, cursor: null, ...change };
  const parameters = new URLSearchParams();
  for (const name of ['status', 'kind', 'project', 'q', 'sort', 'cursor'] as const) {
    const value = wanted[name];
    if (value !== null && value !== ANY_ISSUE[name]) parameters.set(name, value);
  }
  return parameters.size === 0 ? ISSUES_PATH : `${ISSUES_PATH}?${parameters.toString()}`;
}

/** The server stops counting here. */
const COUNTED_TO = 1_000;

/** Formats a number of issues as the server counts them. */
export function issueCount(issues: number): string {
  return issues < COUNTED_TO
    ? counted(issues, 'issue', 'issues')
    : `${formatCount(COUNTED_TO)} or more issues`;
}

/** Reads the cursors of the pages before this one from the state of a history entry; null is the first page. */
export function readCursors(state: unknown): readonly (string | null)[] {
  if (typeof state !== 'object' || state === null || !('cursors' in state)) return [];
  const { cursors } = state;
  if (!Array.isArray(cursors)) return [];
  return cursors.filter((cursor): cursor is string | null => cursor === null || typeof cursor === 'string');
}

export const FEEDBACK_PATH = `${ISSUES_PATH}?status=${FEEDBACK}`;

export function isFeedbackPath(parameters: URLSearchParams): boolean {
  return parameters.get('status') === FEEDBACK;
}
