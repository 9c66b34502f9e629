import { Spool } from './spool.ts';
import type { StartSpool } from './spool-thread.ts';
import { startShared } from '../thread/shared-thread.fixture.ts';
import type { SpoolEvents } from './spool-listeners.ts';
import type { ReadyQuery, SpoolCounts, SpoolLimits } from './protocol/spool-messages.ts';
import {
  type NewEnvelope,
  NO_SENDER,
  type QueuedEnvelope,
  STORE_BIT,
  UPSTREAM_BIT,
} from '../sink/queued-envelope.ts';
import { DAY_MS } from '../time/iso.ts';

/** Spools and envelopes for tests. */

export const PROJECT = 'https://key@errata.invalid/1';

export const LIMITS: SpoolLimits = {
  maxBytes: 2 ** 20,
  maxAgeMs: { error: 7 * DAY_MS, check_in: DAY_MS / 24, other: DAY_MS },
  deadLetters: { maxBytes: 2 ** 18, maxRows: 10, maxAgeMs: 14 * DAY_MS },
  dedup: { maxKeys: 1_000, maxAgeMs: DAY_MS },
};

/** Counts of a new spool. */
export const EMPTY_COUNTS: SpoolCounts = {
  queued: 0,
  classes: [],
  forUpstreams: [],
  forStore: 0,
  ledger: [],
  discards: [],
  deadLetters: 0,
  fill: 0,
  bytes: 0,
  maxBytes: 1,
};

const SILENT: SpoolEvents = {
  onMovedAside: () => {},
  onLost: () => {},
  onCorrupt: () => {},
  onThreadDeath: () => {},
  onFault: () => {},
};

/** Starts a spool in the thread of the spec. */
export const startSharedSpool = startShared(new URL('./db/spool.worker.ts', import.meta.url));

export function openSpool(
  directory: string,
  limits: Partial<SpoolLimits> = {},
  events: Partial<SpoolEvents> = {},
  start: StartSpool = startSharedSpool,
): Promise<Spool> {
  return Spool.open({ directory, limits: { ...LIMITS, ...limits } }, { ...SILENT, ...events }, start);
}

/** Returns an error with this text as its items. */
export function newEnvelope(items: string, changes: Partial<NewEnvelope> = {}): NewEnvelope {
  return {
    project: PROJECT,
    source: 'tunnel',
    class: 0,
    lifetime: 'error',
    receivedAtMs: Date.now(),
    eventId: null,
    hasMadeId: false,
    sender: NO_SENDER,
    header: Buffer.from('{}'),
    items: Buffer.from(items),
    pending: UPSTREAM_BIT | STORE_BIT,
    ...changes,
  };
}

/** Returns the same in the form that sinks get. */
export function spooledEnvelope(items: string, changes: Partial<QueuedEnvelope> = {}): QueuedEnvelope {
  return { ...newEnvelope(items), id: 1, gzipped: null, monotonicAtMs: null, ...changes };
}

/** Reads all envelopes that these sinks have yet to settle, by id. */
export async function queued(
  spool: Spool,
  bit = UPSTREAM_BIT | STORE_BIT,
): Promise<readonly QueuedEnvelope[]> {
  const query: ReadyQuery = {
    bit,
    project: null,
    pick: {
      from: 'oldest',
      cursors: [0, 0, 0, 0, 0],
      untilId: Number.MAX_SAFE_INTEGER,
      except: [],
      limits: [10_000, 10_000, 10_000, 10_000, 10_000],
      maxBytes: 2 ** 28,
    },
  };
  const { envelopes } = await spool.readyEnvelopes(query);
  return envelopes.toSorted((one, other) => one.id - other.id);
}

/** Returns the counts after all settlements so far are committed. */
export async function settledCounts(spool: Spool): Promise<SpoolCounts> {
  await spool.flush();
  return spool.ask('counts');
}

/** Sums the ledger by fate. */
export function fates({ ledger }: SpoolCounts): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { fate, count } of ledger) sums[fate] = (sums[fate] ?? 0) + count;
  return sums;
}

export function textOf({ items }: Pick<QueuedEnvelope, 'items'>): string {
  return Buffer.from(items).toString();
}
