import type { StoreTransaction } from '../db/schema.ts';
import { type IssueIds, issueIdOf } from './issue-rows.ts';
import type { NewEvent } from './new-rows.ts';

/** Notes by which other digests an issue goes from now on, so that either version finds it. */
export async function aliasIssues(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  issueIds: IssueIds,
): Promise<void> {
  const rows = new Map(
    events.flatMap(({ aliases, issueKey, projectId }) =>
      aliases.map(({ key, shown }) => [
        `${key} ${projectId}`,
        { digest_key: key, project_id: projectId, digest: shown, issue_id: issueIdOf(issueIds, issueKey) },
      ]),
    ),
  );
  if (rows.size === 0) return;
  await trx
    .insertInto('issue_alias')
    .values([...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
