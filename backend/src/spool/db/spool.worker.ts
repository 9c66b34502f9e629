import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isDamage } from '../../sqlite/database-file.ts';
import { postNotice, serveCalls } from '../../thread/worker-rpc.ts';
import { buffersOf, type PackedRows } from '../protocol/packed-envelopes.ts';
import type { SpoolCalls, SpoolWorkerData } from '../protocol/spool-messages.ts';
import { SpoolFile } from './spool-file.ts';
import { SpoolFull } from './tables.ts';

/** The thread that owns the spool's file: it handles one request after the other, in the order of their arrival. */

function hasEnvelopes(result: unknown): result is { readonly envelopes: PackedRows } {
  return typeof result === 'object' && result !== null && 'envelopes' in result;
}

function codeOf(error: unknown): string {
  // A damaged file stays damaged: the thread ends, and the next one opens the file again or moves it aside.
  if (isDamage(error)) throw error;
  return error instanceof SpoolFull ? 'full' : 'error';
}

function run(port: MessagePort, { directory, limits }: SpoolWorkerData): void {
  const file = new SpoolFile(directory, limits);
  serveCalls<SpoolCalls>(port, {
    calls: {
      commit: (work) => file.commit(work),
      readyEnvelopes: (work) => file.readyEnvelopes(work),
      counts: () => file.counts(),
      expire: ({ nowMs }) => file.expire(nowMs),
      report: ({ projects, nowMs }) => file.report(projects, nowMs),
      deadLetters: ({ beforeId, limit }) => file.deadLetters(beforeId, limit),
      deadLetter: ({ id }) => file.deadLetter(id),
      trace: (work) => file.traces.trace(work),
      missing: ({ eventIds }) => file.traces.missing(eventIds),
      redrive: ({ ids }) => file.redrive(ids),
      discard: ({ ids }) => file.discard(ids),
      scan: (work) => file.scan(work),
      erase: (work) => file.erase(work),
      rejecting: () => file.rejecting,
      limit: (work) => {
        file.limit(work);
        return null;
      },
      truncateWal: () => {
        file.truncateWal();
        return null;
      },
      close: () => {
        file.close();
        return null;
      },
    },
    codeOf,
    transferOf: (result) => (hasEnvelopes(result) ? buffersOf(result.envelopes) : []),
  });
  postNotice(port, file.opened);
}

if (parentPort !== null) run(parentPort, workerData as SpoolWorkerData);
