import type { StatusChange } from '../contract/issues-api.ts';
import { issueKey } from './ingest/issue-rows.ts';
import type { Database } from './schema.ts';

/**
 * Says what is to be done about these issues, of all projects that have them; gives how many there were.
 *
 * One by one and in the order in which ingest writes them: on PostgreSQL the two would else wait for each other.
 */
export async function setStatus(
  db: Database,
  { keys, status, resolvedIn }: StatusChange,
  nowMs: number,
): Promise<number> {
  const release = status === 'resolved' ? (resolvedIn ?? null) : null;
  return db.transaction().execute(async (trx) => {
    const issues = await trx
      .selectFrom('issue')
      .select(['id', 'digest_key', 'project_id'])
      .where('digest_key', 'in', keys)
      .execute();
    const inOrder = issues
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
