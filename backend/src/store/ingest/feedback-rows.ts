import { padded, runCompiled } from '../db/compiled-query.ts';
import type { StoreTransaction } from '../db/schema.ts';
import { type IssueIds, issueIdOf } from './issue-rows.ts';
import { originOf } from '../event/provenance.ts';
import type { NewFeedback } from '../event/feedback.ts';
import type { NewEvent } from './new-rows.ts';

export interface ProjectFeedback extends NewFeedback {
  readonly projectId: number;
  /** Whether it is above the share of its sender network. */
  readonly isExcess: boolean;
}

/** Inserts feedback with the issue of its event, if that event is stored. */
export async function insertFeedback(
  trx: StoreTransaction,
  feedback: readonly ProjectFeedback[],
): Promise<void> {
  const eventIds = feedback.map(({ eventId }) => eventId).filter((id) => id !== null);
  const events =
    eventIds.length === 0
      ? []
      : await trx
          .selectFrom('event')
          .select(['event_id', 'issue_id'])
          .where('event_id', 'in', eventIds)
          .execute();
  const issueIds = new Map(events.map((row) => [row.event_id, row.issue_id]));
  const rows = feedback.map((entry) => ({
    project_id: entry.projectId,
    feedback_id: entry.feedbackId,
    event_id: entry.eventId,
    issue_id: issueIds.get(entry.eventId ?? '') ?? null,
    received_ms: entry.receivedMs,
    name: entry.name,
    contact: entry.contact,
    message: entry.message,
    url: entry.url,
    origin: originOf(entry.source),
    is_excess: entry.isExcess ? 1 : 0,
  }));
  await trx
    .insertInto('feedback')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Assigns the event's issue to feedback that arrived before its event. */
export async function adoptFeedback(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  issueIds: IssueIds,
): Promise<void> {
  const ids = padded(events.map(({ eventId }) => eventId));
  const { rows: earlier } = await runCompiled(trx, `waiting feedback ${ids.length}`, ids, () =>
    trx
      .selectFrom('feedback')
      .select(['id', 'event_id'])
      .where('event_id', 'in', ids)
      .where('issue_id', 'is', null)
      .orderBy('id'),
  );
  if (earlier.length === 0) return;
  const keys = new Map(events.map(({ eventId, issueKey }) => [eventId, issueKey]));
  for (const { id, event_id: eventId } of earlier) {
    const issueId = issueIdOf(issueIds, keys.get(eventId ?? '') ?? '');
    await trx.updateTable('feedback').set({ issue_id: issueId }).where('id', '=', id).execute();
  }
}
