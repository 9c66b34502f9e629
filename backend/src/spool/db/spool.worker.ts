import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isDamage } from '../../sqlite/database-file.ts';
import { SpoolFile } from './spool-file.ts';
import { SpoolFull } from './tables.ts';
import { buffersOf } from '../protocol/packed-envelopes.ts';
import type {
  SpoolCall,
  SpoolCalls,
  SpoolReply,
  SpoolRequest,
  SpoolWorkerData,
} from '../protocol/spool-messages.ts';

/** The thread that owns the spool's file. It answers one reply to each request, in order. */

function answer(file: SpoolFile, request: SpoolRequest): SpoolCalls[SpoolCall]['reply'] {
  switch (request.call) {
    case 'commit':
      return file.commit(request.work);
    case 'readyEnvelopes':
      return file.readyEnvelopes(request.work);
    case 'counts':
      return file.counts();
    case 'expire':
      return file.expire(request.work.nowMs);
    case 'report':
      return file.report(request.work.projects, request.work.nowMs);
    case 'deadLetters':
      return file.deadLetters(request.work.beforeId, request.work.limit);
    case 'deadLetter':
      return file.deadLetter(request.work.id);
    case 'trace':
      return file.traces.trace(request.work);
    case 'missing':
      return file.traces.missing(request.work.eventIds);
    case 'redrive':
      return file.redrive(request.work.ids);
    case 'discard':
      return file.discard(request.work.ids);
    case 'scan':
      return file.scan(request.work);
    case 'erase':
      return file.erase(request.work);
    case 'truncateWal':
      file.truncateWal();
      return null;
    case 'close':
      file.close();
      return null;
  }
}

/** What may change hands instead of being copied. */
function transferable(reply: SpoolCalls[SpoolCall]['reply']): ArrayBuffer[] {
  return typeof reply === 'object' && reply !== null && 'envelopes' in reply
    ? buffersOf(reply.envelopes)
    : [];
}

function failure(error: unknown): SpoolReply {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', reason: error instanceof SpoolFull ? 'full' : 'error', message };
}

function run(port: MessagePort, { directory, limits }: SpoolWorkerData): void {
  const file = new SpoolFile(directory, limits);
  const send = (reply: SpoolReply, transfer: ArrayBuffer[] = []): void => port.postMessage(reply, transfer);
  port.on('message', (request: SpoolRequest) => {
    try {
      const reply = answer(file, request);
      send({ kind: 'done', reply }, transferable(reply));
    } catch (error) {
      // What is damaged stays damaged: the thread ends, and the next one opens the file anew or moves it aside.
      if (isDamage(error)) throw error;
      send(failure(error));
    }
    if (request.call === 'close') port.close();
  });
  send({ kind: 'opened', opened: file.opened });
}

if (parentPort !== null) run(parentPort, workerData as SpoolWorkerData);
