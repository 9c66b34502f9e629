import type { Settlement } from '../../relay/sink.ts';
import { isDataFault } from '../database-faults.ts';
import type { Database } from '../schema.ts';
import type { StoreEnvelope } from '../store-envelope.ts';
import type { NewRows } from './new-rows.ts';
import { type ReadEnvelope, readEnvelope, type ReadOptions } from './read-envelope.ts';
import { writeRows } from './write-rows.ts';

const DELIVERED: Settlement = { outcome: 'delivered' };
const MALFORMED: Settlement = { outcome: 'refused', reason: 'malformed', status: null };
const UNREACHABLE: Settlement = { outcome: 'retry', reason: 'store_unreachable', retryAfterMs: null };
/** A bug of ours, in one envelope: it stays in the spool, and who reads the log can mend it. */
const FAILED: Settlement = { outcome: 'retry', reason: 'store_failed', retryAfterMs: null };

/** Hears of what went wrong; the settlements carry only its kind. */
export type OnFault = (fault: unknown) => void;

/**
 * Reads a batch of envelopes, writes them in one transaction, and settles after its commit. Never throws.
 *
 * When one envelope's rows are refused by the database, each is written by itself, so that it alone is held.
 */
export async function ingest(
  db: Database,
  batch: readonly StoreEnvelope[],
  options: ReadOptions,
  onFault: OnFault,
): Promise<readonly Settlement[]> {
  const reads: (ReadEnvelope | null)[] = [];
  for (const envelope of batch) reads.push(await readOrReport(envelope, options, onFault));
  const readable = reads.filter((read) => read !== null);
  const written = await writeAll(db, readable, onFault);
  return reads.map((read) => {
    if (read === null) return FAILED;
    const isEmpty = read.events.length + read.feedback.length === 0;
    return isEmpty && read.malformed > 0 ? MALFORMED : (written.get(read) ?? FAILED);
  });
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

async function writeAll(
  db: Database,
  reads: readonly ReadEnvelope[],
  onFault: OnFault,
): Promise<ReadonlyMap<ReadEnvelope, Settlement>> {
  const settlement = await writeOrReport(db, reads, onFault);
  if (settlement !== FAILED || reads.length < 2) return new Map(reads.map((read) => [read, settlement]));
  const each = new Map<ReadEnvelope, Settlement>();
  for (const read of reads) each.set(read, await writeOrReport(db, [read], onFault));
  return each;
}

async function writeOrReport(
  db: Database,
  reads: readonly ReadEnvelope[],
  onFault: OnFault,
): Promise<Settlement> {
  const rows: NewRows = {
    events: reads.flatMap(({ events }) => events),
    feedback: reads.flatMap(({ feedback }) => feedback),
  };
  if (rows.events.length + rows.feedback.length === 0) return DELIVERED;
  try {
    await writeRows(db, rows);
    return DELIVERED;
  } catch (error) {
    onFault(error);
    return isDataFault(error) ? FAILED : UNREACHABLE;
  }
}
