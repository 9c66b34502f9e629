import type { StatusChange } from '../../contract/issues-api.ts';
import { issueKey } from './issue-key.ts';
import { selectIssues } from './read-issues.ts';
import type { Database } from '../db/schema.ts';

/**
 * Says what is to be done about these issues, each in its own project; gives how many there were.
 *
 * One by one and in the order in which ingest writes them: on PostgreSQL the two would else wait for each other.
 */
export async function setStatus(
  db: Database,
  { issues: named, status, resolvedIn }: StatusChange,
  nowMs: number,
): Promise<number> {
  const release = status === 'resolved' ? (resolvedIn ?? null) : null;
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
    return inOrder.length;
  });
}
