import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { SpoolFile, SpoolFull } from './spool-file.ts';
import type { SpoolReply, SpoolRequest, SpoolWorkerData } from './spool-messages.ts';

/** The thread that owns the spool's file. It answers one reply to each request, in order. */

function transferable(envelopes: readonly { header: Uint8Array; items: Uint8Array }[]): ArrayBuffer[] {
  return envelopes.flatMap(({ header, items }) => [
    header.buffer as ArrayBuffer,
    items.buffer as ArrayBuffer,
  ]);
}

function reply(port: MessagePort, message: SpoolReply): void {
  port.postMessage(message, message.kind === 'claimed' ? transferable(message.envelopes) : []);
}

function answer(file: SpoolFile, request: SpoolRequest): SpoolReply {
  switch (request.kind) {
    case 'commit':
      return { kind: 'committed', ids: file.commit(request.appends, request.settled) };
    case 'claim':
      return { kind: 'claimed', ...file.claim(request.claim) };
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
