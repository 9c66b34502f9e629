import type { FeedbackEntry, IssueAnswer, IssueSummary } from '../../contract/issues-api.ts';
import type { Database } from '../schema.ts';
import type { StoredDetail } from './event-detail.ts';
import { newestEvent } from './events.ts';
import { historyOf } from './issue-hours.ts';
import { digestsOf, idsNamed } from './issue-names.ts';
import { headOf, type IssueRow, selectIssues, summariesOf } from './issue-rows.ts';
import { timeText } from './time-text.ts';

/** More are no answer but a list. */
const MAX_RELATED = 20;
const MAX_FEEDBACK = 20;

/** The answer without what only the spool knows. */
export interface StoredAnswer extends Omit<IssueAnswer, 'latest'> {
  readonly latest: StoredDetail | null;
}

export async function answerOf(db: Database, issue: IssueRow, nowMs: number): Promise<StoredAnswer> {
  return {
    ...headOf(issue),
    ...(await historyOf(db, issue.id, nowMs)),
    firstRelease: issue.first_release,
    related: await relatedOf(db, issue, nowMs),
    latest: (await newestEvent(db, issue.id)) ?? null,
    feedback: await feedbackOf(db, issue.id),
  };
}

async function feedbackOf(db: Database, issueId: number): Promise<readonly FeedbackEntry[]> {
  const rows = await db
    .selectFrom('feedback')
    .select(['received_ms', 'message', 'name', 'contact', 'event_id'])
    .where('issue_id', '=', issueId)
    .orderBy('received_ms', 'desc')
    .limit(MAX_FEEDBACK)
    .execute();
  return rows.map(({ received_ms: receivedMs, message, name, contact, event_id: eventId }) => ({
    time: timeText(receivedMs),
    message,
    name,
    contact,
    eventId,
  }));
}

/** Both ways: the server's failures this one's events named, and the browser's failures that named this one. */
async function relatedOf(db: Database, issue: IssueRow, nowMs: number): Promise<readonly IssueSummary[]> {
  const named = await selectIssues(db)
    .where(
      'issue.id',
      'in',
      idsNamed(db, db.selectFrom('issue_relation').select('digest').where('issue_id', '=', issue.id)),
    )
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(MAX_RELATED)
    .execute();
  const naming = await selectIssues(db)
    .where('issue.id', 'in', (query) =>
      query
        .selectFrom('issue_relation')
        .select('issue_id')
        .where('issue_relation.digest', 'in', digestsOf(db, issue.id)),
    )
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(MAX_RELATED)
    .execute();
  const related = new Map([...named, ...naming].map((row) => [row.id, row]));
  related.delete(issue.id);
  return summariesOf(db, [...related.values()], nowMs);
}
