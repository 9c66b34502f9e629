import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WorkerClient, WorkerFailure } from '../thread/worker-rpc.ts';

/** Calls of the thread: items of an envelope in, the same items without secrets out. */
export interface ScrubCalls {
  readonly scrub: { readonly work: Uint8Array; readonly reply: Uint8Array };
}

/** Result of scrubbing; `unavailable`: the thread ended before its reply, and starts again with the next envelope. */
export type Scrubbed =
  | { readonly outcome: 'scrubbed'; readonly items: Uint8Array }
  | { readonly outcome: 'unscrubbable'; readonly detail: string }
  | { readonly outcome: 'unavailable' };

/** Above this heap the thread ends; without the limit the whole process would be killed. */
const MAX_HEAP_MIB = 256;

/**
 * Scrubs in a thread of its own, which starts with the first envelope.
 *
 * States: idle -> running -> idle (the thread died; pending envelopes are `unavailable`); closed is the end.
 */
export class ScrubThread {
  #running: { readonly worker: Worker; readonly client: WorkerClient<ScrubCalls> } | undefined;
  #isClosed = false;

  async scrub(items: Uint8Array): Promise<Scrubbed> {
    if (this.#isClosed) return { outcome: 'unavailable' };
    this.#running ??= this.#start();
    try {
      return { outcome: 'scrubbed', items: await this.#running.client.request('scrub', items) };
    } catch (error) {
      if (error instanceof WorkerFailure) return { outcome: 'unscrubbable', detail: error.message };
      return { outcome: 'unavailable' };
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.worker.terminate();
  }

  #start(): { readonly worker: Worker; readonly client: WorkerClient<ScrubCalls> } {
    const file = new URL(`./scrub.worker${extname(import.meta.filename)}`, import.meta.url);
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MIB };
    const worker = new Worker(file, { name: 'scrub', resourceLimits });
    const client = new WorkerClient<ScrubCalls>(worker, {
      onEnd: () => {
        this.#running = undefined;
      },
    });
    return { worker, client };
  }
}
