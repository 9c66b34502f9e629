import { setImmediate } from 'node:timers/promises';
import type { Settlement } from '../../sink/sink.ts';
import { type ErasureRule, isErased } from '../erasure-rules/erasure-rule.ts';
import { rulesAfter } from '../erasure-rules/erasure-rules.ts';
import { newScrubBudget, type ScrubBudget } from '../../scrub/scrub-event.ts';
import { isDataFault, isRefusal, throwDamage } from '../db/database-errors.ts';
import type { Database } from '../db/schema.ts';
import type { StoreEnvelope } from '../event/store-envelope.ts';
import { namesIn } from '../event/names-in.ts';
import { isConfirmedSource } from '../event/provenance.ts';
import { unconfirmedKey } from '../issues/issue-names.ts';
import type { IngestCache } from './ingest-cache.ts';
import { EventFault, encodeEvent } from './encode-event.ts';
import { bytesOf } from './event-rows.ts';
import { writtenFactBytes } from './fact-rows.ts';
import type { NewEvent, ReadEvent } from './new-rows.ts';
import { type Plan, planEvents } from './plan-events.ts';
import { projectId, projectIds } from './project-rows.ts';
import { type ReadEnvelope, readEnvelope, type ReadOptions } from './read-envelope.ts';
import type { BatchCounts, SenderCounts } from './sender-counts.ts';
import { WrittenElsewhere, writeRows } from './write-rows.ts';

const MALFORMED: Settlement = {
  outcome: 'refused',
  reason: 'malformed',
  status: null,
  detail: 'no item of it can be read',
};
const UNREACHABLE: Settlement = {
  outcome: 'retry',
  reason: 'store_unreachable',
  retryAfterMs: null,
  scope: 'sink',
};
/** Only an operator ends it. */
const REFUSED: Settlement = { ...UNREACHABLE, reason: 'store_refused' };
/** A bug that one envelope triggers: the envelope stays in the spool until the bug is fixed. */
const FAILED: Settlement = {
  outcome: 'retry',
  reason: 'store_failed',
  retryAfterMs: null,
  scope: 'envelope',
};

/** Time that a batch may hold the store's thread, ms: a read that a person waits for runs after it. */
const MAX_HOLD_MS = 50;

/** Receives errors for the log; a settlement contains only their kind. */
export type OnFault = (fault: unknown) => void;

export interface IngestOptions extends ReadOptions {
  readonly cache: IngestCache;
  readonly senders: SenderCounts;
  /** Clock, ms. */
  readonly now: () => number;
}

interface TurnOptions extends IngestOptions {
  /** Lets the other calls of the thread run, when it was held for {@link MAX_HOLD_MS}. */
  readonly endTurn: () => Promise<void>;
}

/**
 * Reads a batch of envelopes, writes them in one transaction, and settles after its commit.
 *
 * store/ingest/ turns envelopes into rows. It must never throw, but for damage of the file, and never settle an envelope before the commit.
 *
 * Events that are stored already (project and event id) are skipped and not counted, so that an envelope may arrive
 * twice. When the database refuses the rows of one envelope, each envelope is written by itself, so that only that one
 * is held.
 */
export async function ingest(
  db: Database,
  batch: readonly StoreEnvelope[],
  options: IngestOptions,
  onFault: OnFault,
): Promise<readonly Settlement[]> {
  const turns = { ...options, endTurn: turnsOf(options) };
  const reads: (ReadEnvelope | null)[] = [];
  for (const envelope of batch) {
    reads.push(await readOrReport(envelope, options, onFault));
    await turns.endTurn();
  }
  const readable = reads.filter((read) => read !== null);
  const write = (some: readonly ReadEnvelope[]) => writeOrReport(db, some, turns, onFault);
  const failures = await writeAll(readable, write);
  return reads.map((read) => (read === null ? FAILED : (failures.get(read) ?? settledAs(read))));
}

function turnsOf({ now }: IngestOptions): TurnOptions['endTurn'] {
  let sinceMs = now();
  return async () => {
    if (Math.abs(now() - sinceMs) < MAX_HOLD_MS) return;
    await setImmediate();
    sinceMs = now();
  };
}

/** Returns the settlement of an envelope after its commit. */
function settledAs({ events, feedback, malformed }: ReadEnvelope): Settlement {
  if (events.length + feedback.length === 0 && malformed > 0) return MALFORMED;
  const [first] = events;
  if (first === undefined) return { outcome: 'delivered', digest: null };
  // The spool spares the newest errors of a digest: those of a stranger displace none of a server.
  const { key } = first.digest;
  return { outcome: 'delivered', digest: isConfirmedSource(first.source) ? key : unconfirmedKey(key) };
}

async function readOrReport(
  envelope: StoreEnvelope,
  options: ReadOptions,
  onFault: OnFault,
): Promise<ReadEnvelope | null> {
  try {
    return await readEnvelope(envelope, options);
  } catch (error) {
    throwDamage(error);
    onFault(error);
    return null;
  }
}

/** Writes all envelopes together, or each by itself when one makes the others fail. Returns those that failed. */
async function writeAll(
  reads: readonly ReadEnvelope[],
  write: (some: readonly ReadEnvelope[]) => Promise<Settlement | null>,
): Promise<ReadonlyMap<ReadEnvelope, Settlement>> {
  const withRows = reads.filter(({ events, feedback }) => events.length + feedback.length > 0);
  const failures = new Map<ReadEnvelope, Settlement>();
  if (withRows.length === 0) return failures;
  const failure = await write(withRows);
  if (failure === null) return failures;
  for (const read of withRows) {
    const own = failure === FAILED && withRows.length > 1 ? await write([read]) : failure;
    if (own !== null) failures.set(read, own);
  }
  return failures;
}

async function writeOrReport(
  db: Database,
  reads: readonly ReadEnvelope[],
  options: TurnOptions,
  onFault: OnFault,
): Promise<Settlement | null> {
  try {
    // The second attempt reads the rows that the other replica wrote.
    await storeOnce(db, reads, options).catch((error: unknown) => {
      if (error instanceof WrittenElsewhere) return storeOnce(db, reads, options);
      throw error;
    });
    return null;
  } catch (error) {
    throwDamage(error);
    onFault(error);
    return isDataFault(error) || error instanceof EventFault ? FAILED : unstoredBy(error);
  }
}

/** Returns the settlement of envelopes that an error of the whole database has left in the spool. */
export function unstoredBy(error: unknown): Settlement {
  return isRefusal(error) ? REFUSED : UNREACHABLE;
}

async function storeOnce(db: Database, reads: readonly ReadEnvelope[], options: TurnOptions): Promise<void> {
  const sinceMs = oldestReceivedMs(reads);
  const rules = await rulesAfter(db, sinceMs);
  const read = withoutErased(reads, rules);
  const projects = await projectIds(db, [...read.events, ...read.feedback]);
  const senders = options.senders.begin();
  const plan = await planEvents(db, read.events, projects, { cache: options.cache, senders });
  const feedback = read.feedback.map((entry) => ({
    ...entry,
    projectId: projectId(projects, entry.project),
    isExcess: !senders.addFeedback(entry),
  }));
  const applied = { sinceMs, known: rules.length };
  try {
    const events = await encodeEvents(plan, senders, budgetsOf(reads), options);
    await writeRows(db, { ...plan, events, feedback, rules: applied }, options);
  } catch (error) {
    plan.release();
    throw error;
  }
  senders.apply();
  for (const { read: event, digest, further } of plan.events)
    if (event.isViolation && further === undefined)
      options.cache.violations.count({ digest, network: event.network });
}

async function encodeEvents(
  plan: Plan,
  senders: BatchCounts,
  budgets: ReadonlyMap<ReadEvent, ScrubBudget>,
  options: TurnOptions,
): Promise<readonly NewEvent[]> {
  const factBytesOf = writtenFactBytes(plan.known.ids, options.cache);
  const events: NewEvent[] = [];
  for (const planned of plan.events) {
    const event = await encodeEvent(planned, options, budgets.get(planned.read));
    const isExcess = !senders.addEvent(planned.read, bytesOf(event));
    events.push({ ...event, isExcess, hasFacts: senders.addFacts(planned.read, factBytesOf(event)) });
    await options.endTurn();
  }
  return events;
}

/** Returns each event with the budget that it shares with its envelope. They are new for each attempt to store a batch. */
function budgetsOf(reads: readonly ReadEnvelope[]): ReadonlyMap<ReadEvent, ScrubBudget> {
  return new Map(
    reads.flatMap(({ events }) => {
      const budget = newScrubBudget();
      return events.map((event) => [event, budget] as const);
    }),
  );
}

/** Returns the events and feedback of a batch without those that an erasure rule matches. */
function withoutErased(
  reads: readonly ReadEnvelope[],
  rules: readonly ErasureRule[],
): Pick<ReadEnvelope, 'events' | 'feedback'> {
  const events = reads.flatMap((read) => read.events);
  const feedback = reads.flatMap((read) => read.feedback);
  if (rules.length === 0) return { events, feedback };
  return {
    events: events.filter(
      ({ receivedMs, project, eventId, body }) =>
        !isErased(rules, { receivedMs, project, eventIds: [eventId], names: () => namesIn(body) }),
    ),
    feedback: feedback.filter(({ receivedMs, project, feedbackId, eventId, name, contact }) => {
      const eventIds = [feedbackId, eventId ?? ''];
      return !isErased(rules, { receivedMs, project, eventIds, names: () => [name ?? '', contact ?? ''] });
    }),
  };
}

function oldestReceivedMs(reads: readonly ReadEnvelope[]): number {
  const times = reads.flatMap(({ events, feedback }) =>
    [...events, ...feedback].map(({ receivedMs }) => receivedMs),
  );
  return times.reduce((oldest, time) => Math.min(oldest, time), Infinity);
}
