import type { FeedbackEntry, HourCount, IssueAnswer, IssueSummary } from '../../contract/console-api.ts';
import { HOUR_MS, hourOf } from '../hours.ts';
import type { Database } from '../schema.ts';
import { newestEvent } from './events.ts';
import { type IssueRow, selectIssues, summaryOf, timeText } from './issue-rows.ts';

const HOURS = 24;
/** More are no answer but a list. */
const MAX_RELATED = 20;
const MAX_FEEDBACK = 20;

export async function answerOf(db: Database, issue: IssueRow, nowMs: number): Promise<IssueAnswer> {
  return {
    ...summaryOf(issue),
    firstRelease: issue.first_release,
    hours: await hoursOf(db, issue.id, nowMs),
    related: await relatedOf(db, issue),
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

async function hoursOf(db: Database, issueId: number, nowMs: number): Promise<readonly HourCount[]> {
  const firstMs = hourOf(nowMs) - (HOURS - 1) * HOUR_MS;
  const rows = await db
    .selectFrom('issue_hour')
    .select(['hour_ms', 'events'])
    .where('issue_id', '=', issueId)
    .where('hour_ms', '>=', firstMs)
    .execute();
  const counts = new Map(rows.map((row) => [row.hour_ms, row.events]));
  return Array.from({ length: HOURS }, (_, index) => firstMs + index * HOUR_MS).map((hourMs) => ({
    hour: timeText(hourMs),
    count: counts.get(hourMs) ?? 0,
  }));
}

/** Both ways: the server's failures this one's events named, and the browser's failures that named this one. */
async function relatedOf(db: Database, issue: IssueRow): Promise<readonly IssueSummary[]> {
  const named = await selectIssues(db)
    .where('issue.digest', 'in', (query) =>
      query.selectFrom('issue_relation').select('digest').where('issue_id', '=', issue.id),
    )
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(MAX_RELATED)
    .execute();
  const naming = await selectIssues(db)
    .where('issue.id', 'in', (query) =>
      query.selectFrom('issue_relation').select('issue_id').where('issue_relation.digest', '=', issue.digest),
    )
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(MAX_RELATED)
    .execute();
  const related = new Map([...named, ...naming].map((row) => [row.id, row]));
  related.delete(issue.id);
  return [...related.values()].map(summaryOf);
}
