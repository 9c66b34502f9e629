import { sql } from 'kysely';
import type { FeedbackEntry, FeedbackList } from '../../contract/issues-api.ts';
import type { Database } from '../db/schema.ts';
import { pageOf, placeOf } from './cursor.ts';
import { isoTime } from '../../time/iso.ts';

/** What people wrote, newest first. */

const MAX_OF_ISSUE = 20;

function selectFeedback(db: Database) {
  return db
    .selectFrom('feedback')
    .innerJoin('project', 'project.id', 'feedback.project_id')
    .select(['feedback.id', 'feedback.received_ms', 'feedback.message', 'feedback.name'])
    .select(['feedback.contact', 'feedback.event_id', 'feedback.url', 'project.dsn'])
    .orderBy('feedback.received_ms', 'desc')
    .orderBy('feedback.id', 'desc');
}

type FeedbackRow = Awaited<ReturnType<ReturnType<typeof selectFeedback>['execute']>>[number];

export async function feedbackOfIssue(db: Database, issueId: number): Promise<readonly FeedbackEntry[]> {
  const rows = await selectFeedback(db)
    .where('feedback.issue_id', '=', issueId)
    .limit(MAX_OF_ISSUE)
    .execute();
  return rows.map(entryOf);
}

/** What speaks of no event, or of one that is not here. */
export async function listFeedback(
  db: Database,
  limit: number,
  cursor: string | null,
): Promise<FeedbackList> {
  const place = placeOf(cursor);
  const rows = await selectFeedback(db)
    .where('feedback.issue_id', 'is', null)
    .$if(place !== null, (query) =>
      query.where(sql<boolean>`(feedback.received_ms, feedback.id) < (${place?.value}, ${place?.id})`),
    )
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, (row) => ({ value: row.received_ms, id: row.id }));
  return { feedback: page.rows.map(entryOf), next: page.next };
}

function entryOf(row: FeedbackRow): FeedbackEntry {
  return {
    id: row.id,
    time: isoTime(row.received_ms),
    message: row.message,
    name: row.name,
    contact: row.contact,
    eventId: row.event_id,
    url: row.url,
    project: row.dsn,
  };
}
