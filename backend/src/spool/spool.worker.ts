import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { buffersOf, pack, unpack } from './packed-envelopes.ts';
import { SpoolFile, SpoolFull } from './spool-file.ts';
import type { SpoolReply, SpoolRequest, SpoolWorkerData } from './spool-messages.ts';

/** The thread that owns the spool's file. It answers one reply to each request, in order. */

function reply(port: MessagePort, message: SpoolReply): void {
  port.postMessage(message, message.kind === 'claimed' ? buffersOf(message.envelopes) : []);
}

function answer(file: SpoolFile, request: SpoolRequest): SpoolReply {
  switch (request.kind) {
    case 'commit':
      return { kind: 'committed', ids: file.commit(unpack(request.appends), request.settled) };
    case 'claim': {
      const { envelopes, rotten } = file.claim(request.claim);
      return { kind: 'claimed', envelopes: pack(envelopes), rotten };
    }
    case 'counts':
      return { kind: 'counted', counts: file.counts() };
    case 'close':
      file.close();
      return { kind: 'closed' };
  }
}

function failure(error: unknown): SpoolReply {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', reason: error instanceof SpoolFull ? 'full' : 'error', message };
}

function run(port: MessagePort, { directory, limits }: SpoolWorkerData): void {
  const file = new SpoolFile(directory, limits);
  port.on('message', (request: SpoolRequest) => {
    try {
      reply(port, answer(file, request));
    } catch (error) {
      reply(port, failure(error));
    }
    if (request.kind === 'close') port.close();
  });
  reply(port, { kind: 'opened', lost: file.lostAtOpen });
}

if (parentPort !== null) run(parentPort, workerData as SpoolWorkerData);
