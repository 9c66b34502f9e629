import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import type { IssueRow } from './read-issues.ts';

/** Lines of operators on known faults. A page must never show the line of another fault, or one that a stranger's issue has. */

/**
 * Returns the line of an issue, '' for none; null where no page can show one: a browser does not know its digest, and a
 * stranger can send the events of an unconfirmed issue.
 */
export function lineOf(issue: Pick<IssueRow, 'kind' | 'is_confirmed' | 'page_line'>): string | null {
  return issue.kind === 'server' && issue.is_confirmed === 1 ? (issue.page_line ?? '') : null;
}

/** Returns the line for the pages of an error, while its issue is not resolved; null for none. @param key the full SHA-256. */
export async function pageLine({ db }: QueryContext, key: string, project: string): Promise<string | null> {
  const issue = await db
    .selectFrom('issue')
    .select(['kind', 'is_confirmed', 'page_line'])
    .where('project_id', '=', (query) => query.selectFrom('project').select('id').where('dsn', '=', project))
    .where('digest_key', '=', key)
    .where('status', '<>', 'resolved')
    .executeTakeFirst();
  return (issue && lineOf(issue)) || null;
}

/** Sets the line of an issue; '' removes it. Returns whether pages can show one. */
export async function setPageLine(db: Database, issue: IssueRow, text: string): Promise<boolean> {
  if (lineOf(issue) === null) return false;
  await db
    .updateTable('issue')
    .set({ page_line: text === '' ? null : text })
    .where('id', '=', issue.id)
    .execute();
  return true;
}
