import type { Settlement } from '../../sink/sink.ts';
import { erasuresAfter } from '../erasure-rules/erasure-rules.ts';
import { isDataFault } from '../db/database-errors.ts';
import type { Database } from '../db/schema.ts';
import type { StoreEnvelope } from '../event/store-envelope.ts';
import type { IngestMemory } from './ingest-memory.ts';
import { EventFault, encodeEvent } from './encode-event.ts';
import type { NewEvent } from './new-rows.ts';
import { planEvents } from './plan-events.ts';
import { projectId, projectIds } from './project-rows.ts';
import { type ReadEnvelope, readEnvelope, type ReadOptions } from './read-envelope.ts';
import { oldestReceivedMs, withoutErased } from './without-erased.ts';
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
/** A bug of ours, in one envelope: it stays in the spool, and who reads the log can mend it. */
const FAILED: Settlement = {
  outcome: 'retry',
  reason: 'store_failed',
  retryAfterMs: null,
  scope: 'envelope',
};

/** Hears of what went wrong; the settlements carry only its kind. */
export type OnFault = (fault: unknown) => void;

export interface IngestOptions extends ReadOptions {
  readonly memory: IngestMemory;
}

/**
 * Reads a batch of envelopes, writes them in one transaction, and settles after its commit. Never throws.
 *
 * What is known already (project and event id) is passed over and counted nowhere, so that an envelope may come
 * twice. When one envelope's rows are refused by the database, each is written by itself, so that it alone is held.
 */
export async function ingest(
  db: Database,
  batch: readonly StoreEnvelope[],
  options: IngestOptions,
  onFault: OnFault,
): Promise<readonly Settlement[]> {
  const reads: (ReadEnvelope | null)[] = [];
  for (const envelope of batch) reads.push(await readOrReport(envelope, options, onFault));
  const readable = reads.filter((read) => read !== null);
  const write = (some: readonly ReadEnvelope[]) => writeOrReport(db, some, options, onFault);
  const failures = await writeAll(readable, write);
  return reads.map((read) => (read === null ? FAILED : (failures.get(read) ?? settledAs(read))));
}

/** How an envelope settles that the database has taken. */
function settledAs({ events, feedback, malformed }: ReadEnvelope): Settlement {
  if (events.length + feedback.length === 0 && malformed > 0) return MALFORMED;
  return { outcome: 'delivered', digest: events[0]?.digest.key ?? null };
}

async function readOrReport(
  envelope: StoreEnvelope,
  options: ReadOptions,
  onFault: OnFault,
): Promise<ReadEnvelope | null> {
  try {
    return await readEnvelope(envelope, options);
  } catch (error) {
    onFault(error);
    return null;
  }
}

/** Writes all together, or each by itself when one makes them fail; gives those that were not written. */
async function writeAll(
  reads: readonly ReadEnvelope[],
  write: (some: readonly ReadEnvelope[]) => Promise<Settlement | null>,
): Promise<ReadonlyMap<ReadEnvelope, Settlement>> {
  const filled = reads.filter(({ events, feedback }) => events.length + feedback.length > 0);
  const failures = new Map<ReadEnvelope, Settlement>();
  if (filled.length === 0) return failures;
  const failure = await write(filled);
  if (failure === null) return failures;
  for (const read of filled) {
    const own = failure === FAILED && filled.length > 1 ? await write([read]) : failure;
    if (own !== null) failures.set(read, own);
  }
  return failures;
}

async function writeOrReport(
  db: Database,
  reads: readonly ReadEnvelope[],
  options: IngestOptions,
  onFault: OnFault,
): Promise<Settlement | null> {
  try {
    // The look that follows sees what the other replica has written.
    await storeOnce(db, reads, options).catch((error: unknown) => {
      if (error instanceof WrittenElsewhere) return storeOnce(db, reads, options);
      throw error;
    });
    return null;
  } catch (error) {
    onFault(error);
    return isDataFault(error) || error instanceof EventFault ? FAILED : UNREACHABLE;
  }
}

async function storeOnce(
  db: Database,
  reads: readonly ReadEnvelope[],
  options: IngestOptions,
): Promise<void> {
  const sinceMs = oldestReceivedMs(reads);
  const rules = await erasuresAfter(db, sinceMs);
  const read = withoutErased(reads, rules);
  const projects = await projectIds(db, [...read.events, ...read.feedback]);
  const plan = await planEvents(db, read.events, projects);
  const events: NewEvent[] = [];
  for (const planned of plan.events) events.push(await encodeEvent(planned, options));
  const feedback = read.feedback.map((entry) => ({
    ...entry,
    projectId: projectId(projects, entry.project),
  }));
  const erasures = { sinceMs, known: rules.length };
  await writeRows(db, { events, feedback, issueIds: plan.issueIds, erasures }, options);
}
