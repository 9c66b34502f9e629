import { erasuresAfter } from '../erasure-rules/erasure-rules.ts';
import type { Database, StoreTransaction } from '../db/schema.ts';
import { noteWebhook, type WebhookNotes } from '../outbox/enqueue.ts';
import { insertEvents } from './event-rows.ts';
import { noteFacts } from './fact-rows.ts';
import { adoptFeedback, insertFeedback, type ProjectFeedback } from './feedback-rows.ts';
import { countHours, relateIssues } from './issue-facts.ts';
import type { IngestMemory, Memories } from './ingest-memory.ts';
import { countIssues, ensureIssues, issueIdOf, type IssueIds } from './issue-rows.ts';
import type { NewEvent } from './new-rows.ts';
import { reopenRegressed } from './regressions.ts';
import { noteReleases } from './release-rows.ts';
import { noteTexts } from './text-rows.ts';

export interface NewRows {
  /** None that the database was seen to hold; in the order of their keys. */
  readonly events: readonly NewEvent[];
  readonly feedback: readonly ProjectFeedback[];
  /** Of the issues that were seen to be there. */
  readonly issueIds: IssueIds;
  /** How many rules there were to forget what came in since. */
  readonly erasures: { readonly sinceMs: number; readonly known: number };
}

export interface WriteOptions {
  readonly memory: IngestMemory;
  readonly webhook?: WebhookNotes | undefined;
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
  { memory, webhook }: WriteOptions,
): Promise<void> {
  if (events.length + feedback.length === 0) return;
  const learned = memory.begin();
  await db.transaction().execute(async (trx) => {
    if (events.length > 0) {
      const { ids, made, reopened } = await writeEvents(trx, events, issueIds, { memory, learned });
      await noteWebhook(trx, webhook, 'issue.new', inOrder(made.map((key) => issueIdOf(ids, key))));
      await noteWebhook(trx, webhook, 'issue.regressed', inOrder(reopened));
    }
    if (feedback.length > 0) await insertFeedback(trx, feedback);
    await needNoErasure(trx, erasures);
  });
  learned.keep();
}

/** What became of the issues of a batch. */
interface WrittenEvents {
  readonly ids: IssueIds;
  /** Keys of those that were made with it. */
  readonly made: readonly string[];
  /** Ids of those that it opened again. */
  readonly reopened: readonly number[];
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
  memories: Memories,
): Promise<WrittenEvents> {
  const { ids, uncounted } = await ensureIssues(trx, events, known);
  const written = await insertEvents(trx, events, ids);
  if (written < events.length) throw new WrittenElsewhere('an event was written by another replica');
  await noteReleases(trx, events, memories);
  const newPeople = await noteFacts(trx, events, ids, memories);
  const ofKnown = events.filter((event) => uncounted.has(event.issueKey));
  await countIssues(trx, ofKnown, ids, newPeople);
  const reopened = await reopenRegressed(trx, ofKnown, ids);
  await countHours(trx, events, ids);
  await noteTexts(trx, events, ids, memories);
  await relateIssues(trx, events, ids);
  await adoptFeedback(trx, events, ids);
  const keys = new Set(events.map(({ issueKey }) => issueKey));
  return { ids, made: [...keys].filter((key) => !uncounted.has(key)), reopened };
}

function inOrder(ids: readonly number[]): readonly number[] {
  return ids.toSorted((one, other) => one - other);
}
