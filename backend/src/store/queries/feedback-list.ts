import { sql } from 'kysely';
import type { FeedbackEntry, FeedbackList } from '../../contract/issues-api.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { provenanceOf } from '../event/provenance.ts';
import { pageOf, pageSize, positionOf } from './cursor.ts';
import { isoTime } from '../../time/iso.ts';

const MAX_OF_ISSUE = 20;

function selectFeedback(db: Database) {
  return db
    .selectFrom('feedback')
    .innerJoin('project', 'project.id', 'feedback.project_id')
    .select(['feedback.id', 'feedback.received_ms', 'feedback.message', 'feedback.name'])
    .select(['feedback.contact', 'feedback.event_id', 'feedback.url', 'feedback.origin', 'project.dsn'])
    .orderBy('feedback.received_ms', 'desc')
    .orderBy('feedback.id', 'desc');
}

type FeedbackRow = Awaited<ReturnType<ReturnType<typeof selectFeedback>['execute']>>[number];

/** Returns the newest feedback of an issue, newest first. */
export async function feedbackOfIssue(db: Database, issueId: number): Promise<readonly FeedbackEntry[]> {
  const rows = await selectFeedback(db)
    .where('feedback.issue_id', '=', issueId)
    .limit(MAX_OF_ISSUE)
    .execute();
  return rows.map(entryOf);
}

/** Lists feedback that names no stored event, newest first. */
export async function listFeedback(
  { db }: QueryContext,
  wanted: number,
  cursor: string | null,
): Promise<FeedbackList> {
  const position = positionOf(cursor);
  const limit = pageSize(wanted);
  const rows = await selectFeedback(db)
    .where('feedback.issue_id', 'is', null)
    .$if(position !== null, (query) =>
      query.where(sql<boolean>`(feedback.received_ms, feedback.id) < (${position?.value}, ${position?.id})`),
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
    provenance: provenanceOf(row.origin),
  };
}
