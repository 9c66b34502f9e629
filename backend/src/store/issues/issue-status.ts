import type { IssueStatus, StatusChange, StatusChanged } from '../../contract/issues-api.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { issueKey } from './issue-names.ts';
import { addressOf, type IssueRow, selectIssues } from './read-issues.ts';

/** The status of an issue before a change, for the audit log. */
export interface PreviousStatus {
  /** See IssueName. */
  readonly address: string;
  /** Canonical DSN. */
  readonly project: string;
  readonly status: IssueStatus;
  readonly resolvedIn: string | null;
}

/** Returns the status of the named issues, each in its own project; unknown ones are left out. */
export async function issueStates(
  { db }: QueryContext,
  named: StatusChange['issues'],
): Promise<readonly PreviousStatus[]> {
  return (await selectNamed(db, named)).map((issue) => ({
    address: addressOf(issue),
    project: issue.dsn,
    status: issue.status,
    resolvedIn: issue.resolved_release,
  }));
}

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
    const inOrder = (await selectNamed(trx, named))
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

async function selectNamed(db: Database, named: StatusChange['issues']): Promise<readonly IssueRow[]> {
  const keys = [...new Set(named.map(({ key }) => key))];
  const isNamed = new Set(named.map(({ key, project }) => `${key} ${project}`));
  const issues = await selectIssues(db).where('issue.digest_key', 'in', keys).execute();
  return issues.filter(({ digest_key: key, dsn }) => isNamed.has(`${key} ${dsn}`));
}
