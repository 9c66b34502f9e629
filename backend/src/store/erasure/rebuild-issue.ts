import { factsOf } from '../event/event-facts.ts';
import { searchText } from '../event/fact-forms.ts';
import { fingerprintOf, issueText } from '../event/issue-text.ts';
import type { Database } from '../db/schema.ts';
import { decodeStoredEvent, type StoredEvent } from '../event/stored-event.ts';

/** The class of an error at the beginning of a title. */
const CLASS = /^[\w$.]{1,100}(?=: )/;
const ERASED_TITLE = 'Erased';

/**
 * Rebuilds an issue's title and search text from its remaining events, because they may quote an erased event. Without
 * events the title is the class of its errors, which is not personal.
 */
export async function rebuildIssue(db: Database, issueId: number): Promise<void> {
  const issue = await db
    .selectFrom('issue')
    .select(['title', 'kind'])
    .where('id', '=', issueId)
    .executeTakeFirst();
  if (issue === undefined) return;
  const [any, full] = [await newest(db, issueId, [0, 1]), await newest(db, issueId, [0])];
  const title =
    any === undefined
      ? (CLASS.exec(issue.title)?.[0] ?? ERASED_TITLE)
      : factsOf(any.event, issue.kind, null).title;
  const text =
    full === undefined ? searchText(title) : issueText(full, factsOf(full.event, issue.kind, null));
  await rebuildText(db, issueId, text);
  if (title === issue.title) return;
  await db.updateTable('issue').set({ title }).where('id', '=', issueId).execute();
}

/** Returns the newest stored event. @param isBrief 0 for full events, 1 for brief ones. */
async function newest(
  db: Database,
  issueId: number,
  isBrief: readonly number[],
): Promise<StoredEvent | undefined> {
  const row = await db
    .selectFrom('event')
    .select('payload')
    .where('issue_id', '=', issueId)
    .where('is_brief', 'in', isBrief)
    .orderBy('occurred_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : decodeStoredEvent(row.payload);
}

async function rebuildText(db: Database, issueId: number, body: string): Promise<void> {
  await db
    .updateTable('issue_text')
    .set({ body, fingerprint: fingerprintOf(body) })
    .where('issue_id', '=', issueId)
    .where('body', '!=', body)
    .execute();
}
