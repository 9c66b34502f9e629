import { factsOf } from '../ingest/event-facts.ts';
import type { Database } from '../schema.ts';
import { decodeStoredEvent } from '../stored-event.ts';

/** The class of an error at the beginning of a title. */
const CLASS = /^[\w$.]{1,100}(?=: )/;
const NOTHING_LEFT = 'Erased';

/**
 * Tells an issue's title again from what is left of its events: the one it has may quote one that was erased. Without
 * any left it keeps the class of its errors, which says nothing of anybody.
 */
export async function retellIssue(db: Database, issueId: number): Promise<void> {
  const issue = await db
    .selectFrom('issue')
    .select(['title', 'kind'])
    .where('id', '=', issueId)
    .executeTakeFirst();
  if (issue === undefined) return;
  const left = await db
    .selectFrom('event')
    .select('payload')
    .where('issue_id', '=', issueId)
    .orderBy('occurred_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const title =
    left === undefined
      ? (CLASS.exec(issue.title)?.[0] ?? NOTHING_LEFT)
      : factsOf(decodeStoredEvent(left.payload).event, issue.kind, null).title;
  if (title !== issue.title) await db.updateTable('issue').set({ title }).where('id', '=', issueId).execute();
}
