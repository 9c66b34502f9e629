import { rulesAfter } from '../erasure-rules/erasure-rules.ts';
import type { Database, StoreTransaction } from '../db/schema.ts';
import { projectName } from '../../contract/project-name.ts';
import { type AlertedIssue, type AlertOptions, confirmAlerts, enqueueAlerts } from '../outbox/enqueue.ts';
import { insertEvents, renameForged } from './event-rows.ts';
import { recordFacts } from './fact-rows.ts';
import { adoptFeedback, insertFeedback, type ProjectFeedback } from './feedback-rows.ts';
import { frequentAmong, frequentHour } from './frequent.ts';
import { countHours, recordRelations } from './issue-facts.ts';
import type { IngestCache, TransactionCache } from './ingest-cache.ts';
import { countIssues, ensureIssues, type IssueIds, issueIdOf, type KnownIssues } from './issue-rows.ts';
import type { NewEvent } from './new-rows.ts';
import { countProjectHours } from './project-hours.ts';
import { reopenRegressed } from './regressions.ts';
import { recordReleases } from './project-rows.ts';
import { writeTexts } from './text-rows.ts';

export interface NewRows {
  /** Events that planEvents did not find in the database; in the order of their keys. */
  readonly events: readonly NewEvent[];
  readonly feedback: readonly ProjectFeedback[];
  /** The issues that planEvents found. */
  readonly known: KnownIssues;
  /** The rows that planEvents found with the id of one of the events. */
  readonly forged: readonly number[];
  /** How many erasure rules planEvents has applied. */
  readonly rules: { readonly sinceMs: number; readonly known: number };
}

export interface WriteOptions {
  readonly cache: IngestCache;
  readonly alerts?: AlertOptions | undefined;
}

/** Another replica wrote or erased one of the events, or confirmed its issue, since it was planned: nothing was written. */
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
  { events, feedback, known, forged, rules }: NewRows,
  { cache, alerts }: WriteOptions,
): Promise<void> {
  if (events.length + feedback.length === 0) return;
  const changes = cache.begin();
  await db.transaction().execute(async (trx) => {
    if (events.length > 0) {
      await renameForged(trx, forged);
      const cached = { cache, changes, hourMs: frequentHour(alerts) };
      const { confirmed, created, reopened, frequent } = await writeEvents(trx, events, known, cached);
      await confirmAlerts(trx, confirmed);
      await enqueueAlerts(trx, alerts, 'issue.new', created);
      await enqueueAlerts(trx, alerts, 'issue.regressed', reopened);
      await enqueueAlerts(trx, alerts, 'issue.frequent', frequent);
    }
    if (feedback.length > 0) await insertFeedback(trx, feedback);
    // All batches of this replica write the same rows, and wait for each other from here on.
    await countProjectHours(trx, events);
    await checkNoNewRule(trx, rules);
  });
  changes.apply();
}

/** The issues of a batch, each list in the order of the ids. */
interface WrittenIssues {
  /** Ids of the issues that existed and got their first confirmed event. */
  readonly confirmed: readonly number[];
  readonly created: readonly AlertedIssue[];
  readonly reopened: readonly AlertedIssue[];
  /** See frequentAmong. */
  readonly frequent: readonly AlertedIssue[];
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
  known: KnownIssues,
  cached: TransactionCache & { readonly hourMs: number | null },
): Promise<WrittenIssues> {
  const { ids, uncounted } = await ensureIssues(trx, events, known.ids);
  const written = await insertEvents(trx, events, ids);
  if (written < events.length) throw new WrittenElsewhere('an event was written by another replica');
  const withFacts = events.filter(({ hasFacts }) => hasFacts);
  await recordReleases(trx, withFacts, cached);
  const newUsers = await recordFacts(trx, withFacts, ids, cached);
  const ofKnown = events.filter((event) => uncounted.has(event.issueKey));
  if (!(await countIssues(trx, ofKnown, ids, newUsers)))
    throw new WrittenElsewhere('an issue was confirmed by another replica');
  const reopened = await reopenRegressed(trx, ofKnown, ids);
  const { hourMs } = cached;
  const counted = await countHours(trx, events, ids, hourMs);
  const frequent = hourMs === null ? [] : await frequentAmong(trx, counted, hourMs);
  await writeTexts(trx, events, ids, cached);
  await recordRelations(trx, events, ids);
  await adoptFeedback(trx, events, ids);
  const alerted = alertedIn(events, ids);
  return {
    confirmed: alerted
      .filter(({ key, isConfirmed }) => isConfirmed && uncounted.has(key) && !known.confirmed.has(key))
      .map(({ id }) => id),
    created: alerted.filter(({ key }) => !uncounted.has(key)),
    reopened: alerted.filter(({ id }) => reopened.includes(id)),
    frequent: alerted.filter(({ id }) => frequent.includes(id)),
  };
}

/** Returns each issue of a batch with the facts of its first event, which has created or reopened it; in the order of the ids. */
function alertedIn(
  events: readonly NewEvent[],
  ids: IssueIds,
): readonly (AlertedIssue & { readonly key: string })[] {
  return [...new Map(events.toReversed().map((event) => [event.issueKey, event]))]
    .map(([key, { isConfirmed, kind, environment, level, project }]) => ({
      key,
      id: issueIdOf(ids, key),
      isConfirmed,
      kind,
      environment,
      level,
      project: projectName(project),
    }))
    .toSorted((one, other) => one.id - other.id);
}
