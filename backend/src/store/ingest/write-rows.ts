import { rulesAfter } from '../erasure-rules/erasure-rules.ts';
import type { Database, StoreTransaction } from '../db/schema.ts';
import { enqueueDeliveries, type WebhookOptions } from '../outbox/enqueue.ts';
import { insertEvents } from './event-rows.ts';
import { recordFacts } from './fact-rows.ts';
import { adoptFeedback, insertFeedback, type ProjectFeedback } from './feedback-rows.ts';
import { countHours, recordRelations } from './issue-facts.ts';
import type { IngestCache, TransactionCache } from './ingest-cache.ts';
import { countIssues, ensureIssues, issueIdOf, type IssueIds } from './issue-rows.ts';
import type { NewEvent } from './new-rows.ts';
import { reopenRegressed } from './regressions.ts';
import { recordReleases } from './project-rows.ts';
import { writeTexts } from './text-rows.ts';

export interface NewRows {
  /** Events that planEvents did not find in the database; in the order of their keys. */
  readonly events: readonly NewEvent[];
  readonly feedback: readonly ProjectFeedback[];
  /** Ids of the issues that planEvents found. */
  readonly issueIds: IssueIds;
  /** How many erasure rules planEvents has applied. */
  readonly rules: { readonly sinceMs: number; readonly known: number };
}

export interface WriteOptions {
  readonly cache: IngestCache;
  readonly webhook?: WebhookOptions | undefined;
}

/** Another replica wrote or erased one of the events since it was planned: nothing was written. */
export class WrittenElsewhere extends Error {
  override readonly name = 'WrittenElsewhere';
}

/**
 * Writes a batch in one transaction.
 *
 * All rows are written in the order of their keys: replicas on one PostgreSQL that write the same issues then queue, and
 * never deadlock.
 *
 * @throws WrittenElsewhere
 */
export async function writeRows(
  db: Database,
  { events, feedback, issueIds, rules }: NewRows,
  { cache, webhook }: WriteOptions,
): Promise<void> {
  if (events.length + feedback.length === 0) return;
  const changes = cache.begin();
  await db.transaction().execute(async (trx) => {
    if (events.length > 0) {
      const { ids, created, reopened } = await writeEvents(trx, events, issueIds, { cache, changes });
      await enqueueDeliveries(trx, webhook, 'issue.new', inOrder(created.map((key) => issueIdOf(ids, key))));
      await enqueueDeliveries(trx, webhook, 'issue.regressed', inOrder(reopened));
    }
    if (feedback.length > 0) await insertFeedback(trx, feedback);
    await checkNoNewRule(trx, rules);
  });
  changes.apply();
}

/** The issues of a batch. */
interface WrittenIssues {
  readonly ids: IssueIds;
  /** Keys of the issues that the batch created. */
  readonly created: readonly string[];
  /** Ids of the issues that it reopened. */
  readonly reopened: readonly number[];
}

/**
 * Checks that no rule was added since the events were planned. Runs last: from the first written row on, addRule waits
 * for this transaction.
 */
async function checkNoNewRule(trx: StoreTransaction, { sinceMs, known }: NewRows['rules']): Promise<void> {
  const rules = await rulesAfter(trx, sinceMs);
  if (rules.length !== known) throw new WrittenElsewhere('something was erased meanwhile');
}

async function writeEvents(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  known: IssueIds,
  cached: TransactionCache,
): Promise<WrittenIssues> {
  const { ids, uncounted } = await ensureIssues(trx, events, known);
  const written = await insertEvents(trx, events, ids);
  if (written < events.length) throw new WrittenElsewhere('an event was written by another replica');
  const withFacts = events.filter(({ hasFacts }) => hasFacts);
  await recordReleases(trx, withFacts, cached);
  const newUsers = await recordFacts(trx, withFacts, ids, cached);
  const ofKnown = events.filter((event) => uncounted.has(event.issueKey));
  await countIssues(trx, ofKnown, ids, newUsers);
  const reopened = await reopenRegressed(trx, ofKnown, ids);
  await countHours(trx, events, ids);
  await writeTexts(trx, events, ids, cached);
  await recordRelations(trx, events, ids);
  await adoptFeedback(trx, events, ids);
  const keys = new Set(events.map(({ issueKey }) => issueKey));
  return { ids, created: [...keys].filter((key) => !uncounted.has(key)), reopened };
}

function inOrder(ids: readonly number[]): readonly number[] {
  return ids.toSorted((one, other) => one - other);
}
