import { type MessagePort, parentPort } from 'node:worker_threads';
import { scrubbedItems } from './scrubbed-items.ts';
import type { ScrubReply, ScrubRequest } from './scrub-thread.ts';

/** The thread that scrubs what goes to upstreams: JSON of strangers is not parsed where HTTP is answered. */

function answer({ id, items }: ScrubRequest): ScrubReply {
  try {
    return { id, items: scrubbedItems(items) };
  } catch (error) {
    return { id, fault: error instanceof Error ? error.message : String(error) };
  }
}

function run(port: MessagePort): void {
  const send = (reply: ScrubReply): void => port.postMessage(reply);
  port.on('message', (request: ScrubRequest) => send(answer(request)));
}

if (parentPort !== null) run(parentPort);
