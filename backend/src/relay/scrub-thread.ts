import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SupervisedWorker } from '../thread/supervised-worker.ts';
import { WorkerFailure } from '../thread/worker-rpc.ts';
import type { ScrubCalls } from './scrub.worker.ts';

/** Result of scrubbing; `unavailable`: the thread ended before its reply, and starts again with the next envelope. */
export type Scrubbed =
  | { readonly outcome: 'scrubbed'; readonly items: Uint8Array }
  | { readonly outcome: 'unscrubbable'; readonly detail: string }
  | { readonly outcome: 'unavailable' };

/** Above this heap the thread ends; without the limit the whole process would be killed. */
const MAX_HEAP_MIB = 256;

/** Scrubs in a thread of its own, which starts with the first envelope, and after its death with the next one. */
export class ScrubThread {
  readonly #worker: SupervisedWorker<ScrubCalls>;

  /** @param start starts the thread; a test passes its own, to end it */
  constructor(start = startScrubWorker) {
    this.#worker = new SupervisedWorker({ start });
  }

  async scrub(items: Uint8Array): Promise<Scrubbed> {
    try {
      return { outcome: 'scrubbed', items: await this.#worker.request('scrub', [items]) };
    } catch (error) {
      if (error instanceof WorkerFailure) return { outcome: 'unscrubbable', detail: error.message };
      return { outcome: 'unavailable' };
    }
  }

  /** Ends the thread at once: an envelope under way is `unavailable`. */
  close(): Promise<void> {
    return this.#worker.terminate();
  }
}

export function startScrubWorker(): Worker {
  const file = new URL(`./scrub.worker${extname(import.meta.filename)}`, import.meta.url);
  return new Worker(file, { name: 'scrub', resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
}
