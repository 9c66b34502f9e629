import { erasuresAfter } from '../erasure/erasures.ts';
import type { Database, StoreTransaction } from '../schema.ts';
import { noteWebhook, type WebhookNotes } from '../webhook-calls/note-webhook.ts';
import { insertEvents } from './event-rows.ts';
import { adoptFeedback, insertFeedback, type ProjectFeedback } from './feedback-rows.ts';
import { aliasIssues } from './issue-aliases.ts';
import { countHours, relateIssues } from './issue-facts.ts';
import { countIssues, ensureIssues, issueIdOf, type IssueIds } from './issue-rows.ts';
import type { NewEvent } from './new-rows.ts';

export interface NewRows {
  /** None that the database was seen to hold; in the order of their keys. */
  readonly events: readonly NewEvent[];
  readonly feedback: readonly ProjectFeedback[];
  /** Of the issues that were seen to be there. */
  readonly issueIds: IssueIds;
  /** How many rules there were to forget what came in since. */
  readonly erasures: { readonly sinceMs: number; readonly known: number };
}

/** Another replica has written one of the events since the look before, or had it forgotten: nothing was written. */
export class WrittenElsewhere extends Error {
  override readonly name = 'WrittenElsewhere';
}

/**
 * Writes a batch in one transaction.
 *
 * Everything is written in the order of its key: replicas on one PostgreSQL that write the same issues then wait
 * for one another, and never for each other.
 *
 * @throws WrittenElsewhere
 */
export async function writeRows(
  db: Database,
  { events, feedback, issueIds, erasures }: NewRows,
  webhook?: WebhookNotes,
): Promise<void> {
  if (events.length + feedback.length === 0) return;
  await db.transaction().execute(async (trx) => {
    if (events.length > 0) await writeEvents(trx, events, issueIds, webhook);
    if (feedback.length > 0) await insertFeedback(trx, feedback);
    await needNoErasure(trx, erasures);
  });
}

/** Last: from the first row on that was written here, whoever adds a rule waits for this transaction; see addErasure. */
async function needNoErasure(trx: StoreTransaction, { sinceMs, known }: NewRows['erasures']): Promise<void> {
  const rules = await erasuresAfter(trx, sinceMs);
  if (rules.length !== known) throw new WrittenElsewhere('something was erased meanwhile');
}

async function writeEvents(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  known: IssueIds,
  webhook: WebhookNotes | undefined,
): Promise<void> {
  const { ids, uncounted } = await ensureIssues(trx, events, known);
  const written = await insertEvents(trx, events, ids);
  if (written < events.length) throw new WrittenElsewhere('an event was written by another replica');
  await countIssues(
    trx,
    events.filter((event) => uncounted.has(event.issueKey)),
  );
  await aliasIssues(trx, events, ids);
  await countHours(trx, events, ids);
  await relateIssues(trx, events, ids);
  await adoptFeedback(trx, events, ids);
  // A regression belongs here: noteWebhook(trx, webhook, 'issue.regressed', <ids of the issues that were reopened>).
  await noteWebhook(trx, webhook, 'issue.new', newIssues(events, ids, uncounted));
}

/** Those that were made with this batch, in the order of their ids. */
function newIssues(
  events: readonly NewEvent[],
  ids: IssueIds,
  uncounted: ReadonlySet<string>,
): readonly number[] {
  const keys = new Set(events.map(({ issueKey }) => issueKey).filter((key) => !uncounted.has(key)));
  return [...keys].map((key) => issueIdOf(ids, key)).toSorted((a, b) => a - b);
}
