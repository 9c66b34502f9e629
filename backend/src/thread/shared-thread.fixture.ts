import { MessageChannel, Worker } from 'node:worker_threads';
import type { SharedStart } from './shared-thread.worker.fixture.ts';
import type { WorkerHandle } from './worker-rpc.ts';

/**
 * Serves all spools and stores of a spec file in one thread, each at a port of its own: a thread for each test would load
 * their modules again, which takes most of its start. A spec that is about the start or the death of a thread has real ones.
 */
let thread: Worker | undefined;

/** Returns what starts the workers of a module, which has a function `serve`. */
export function startShared(module: URL): (data: unknown) => WorkerHandle {
  return (data) => {
    thread ??= startThread();
    const { port1, port2 } = new MessageChannel();
    thread.postMessage({ module: module.href, data, port: port2 } satisfies SharedStart, [port2]);
    return {
      on: (event, listener) => port1.on(event === 'exit' ? 'close' : event, listener),
      postMessage: (message, transfer) => port1.postMessage(message, [...transfer]),
      terminate: () => Promise.resolve(port1.close()),
    };
  };
}

function startThread(): Worker {
  const worker = new Worker(new URL('./shared-thread.worker.fixture.ts', import.meta.url));
  return worker.once('exit', () => (thread = undefined));
}

afterAll(() => thread?.postMessage('last', []));
