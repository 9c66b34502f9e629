import type { StatusChange, StatusChanged } from '../../contract/issues-api.ts';
import type { QueryContext } from '../db/query-context.ts';
import { issueKey } from './issue-key.ts';
import { selectIssues } from './read-issues.ts';

/**
 * Sets the status of issues, each in its own project, and returns how many there were.
 *
 * Updates them one by one in the order in which ingest writes them: on PostgreSQL two transactions with different
 * orders could wait for each other.
 */
export async function setStatus(
  { db, now }: QueryContext,
  { issues: named, status, resolvedIn }: StatusChange,
): Promise<StatusChanged> {
  const release = status === 'resolved' ? (resolvedIn ?? null) : null;
  const nowMs = now();
  return db.transaction().execute(async (trx) => {
    const keys = [...new Set(named.map(({ key }) => key))];
    const issues = await selectIssues(trx).where('issue.digest_key', 'in', keys).execute();
    const isNamed = new Set(named.map(({ key, project }) => `${key} ${project}`));
    const inOrder = issues
      .filter(({ digest_key: key, dsn }) => isNamed.has(`${key} ${dsn}`))
      .map((issue) => ({ id: issue.id, key: issueKey(issue.digest_key, issue.project_id) }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1));
    for (const { id } of inOrder) {
      await trx
        .updateTable('issue')
        .set({ status, status_ms: nowMs, resolved_release: release })
        .where('id', '=', id)
        .execute();
    }
    return { changed: inOrder.length };
  });
}
