import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isDamage } from '../../sqlite/database-file.ts';
import { postNotice, serveCalls } from '../../thread/worker-rpc.ts';
import type { TraceWork } from '../protocol/event-status.ts';
import { buffersOf, type PackedRows } from '../protocol/packed-envelopes.ts';
import type {
  CommitWork,
  ErasureTarget,
  ErasureScan,
  ReadyQuery,
  SpoolLimits,
  SpoolWorkerData,
} from '../protocol/spool-messages.ts';
import { RecentCounts } from './counts.ts';
import { SpoolFile } from './spool-file.ts';
import { SpoolFull } from './tables.ts';

/** The thread that owns the spool's file: it handles one request after the other, in the order of their arrival. */

/** Calls of the thread. */
export type SpoolCalls = ReturnType<typeof callsOf>;

function callsOf(file: SpoolFile) {
  const { tables, traces, erasures } = file;
  const recent = new RecentCounts(() => file.counts());
  return {
    commit: (work: CommitWork) => file.commit(work),
    readyEnvelopes: (query: ReadyQuery) => file.readyEnvelopes(query),
    counts: () => file.counts(),
    /** The same, but some time old while the queue is large: pages, metrics and the history ask often. */
    recentCounts: () => recent.counts(),
    expire: (nowMs: number) => file.expire(nowMs),
    report: (projects: readonly string[], nowMs: number) => file.report(projects, nowMs),
    deadLetters: (beforeId: number | null, limit: number) => tables.deadLetters.list(beforeId, limit),
    deadLetter: (id: number) => tables.deadLetters.open(id),
    trace: (work: TraceWork) => traces.trace(work),
    /** @param eventIds ids or prefixes. */
    missing: (eventIds: readonly string[]) => traces.missing(eventIds),
    redrive: (ids: readonly number[]) => {
      recent.forget();
      return file.redrive(ids);
    },
    discard: (ids: readonly number[]) => {
      recent.forget();
      return file.discard(ids);
    },
    discardWaiting: (project: string, afterId: number) => {
      recent.forget();
      return file.discardWaiting(project, afterId);
    },
    scan: (scan: ErasureScan) => erasures.scan(scan),
    erase: (target: ErasureTarget) => file.erase(target),
    rejecting: () => file.rejecting,
    limit: (limits: SpoolLimits) => file.limit(limits),
    truncateWal: () => file.truncateWal(),
    close: () => file.close(),
  };
}

function hasEnvelopes(result: unknown): result is { readonly envelopes: PackedRows } {
  return typeof result === 'object' && result !== null && 'envelopes' in result;
}

function codeOf(error: unknown): string {
  // The thread ends, and the next one replaces the damaged file before it opens it.
  if (isDamage(error)) throw error;
  return error instanceof SpoolFull ? 'full' : 'error';
}

/** Opens the spool's file and replies to the calls of the port. @throws when another process uses the directory. */
export function serve(port: MessagePort, { directory, limits, isDamaged }: SpoolWorkerData): void {
  const file = new SpoolFile(directory, limits, undefined, isDamaged);
  serveCalls<SpoolCalls>(port, {
    calls: callsOf(file),
    codeOf,
    transferOf: (result) => (hasEnvelopes(result) ? buffersOf(result.envelopes) : []),
  });
  postNotice(port, file.opened);
}

if (import.meta.main && parentPort !== null) serve(parentPort, workerData as SpoolWorkerData);
