import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Semaphore } from '../time/semaphore.ts';
import { SupervisedWorker } from '../thread/supervised-worker.ts';
import { WorkerFailure, type WorkerHandle } from '../thread/worker-rpc.ts';
import type { ScrubCalls } from './scrub.worker.ts';

/** Result of scrubbing; `unavailable`: the thread ended before its reply, and starts again with the next envelope. */
export type Scrubbed =
  | { readonly outcome: 'scrubbed'; readonly items: Uint8Array }
  | { readonly outcome: 'unscrubbable'; readonly detail: string }
  | { readonly outcome: 'unavailable' };

/**
 * Above this heap the thread ends; without the limit the whole process would be killed. The most costly items within the
 * limits of the parser need less than 64 MiB; with 256 the garbage of a few took half of a container of 512 MiB.
 */
const MAX_HEAP_MIB = 128;
/** V8's default is 48, and garbage of large items fills it. */
const MAX_YOUNG_MIB = 16;

/**
 * Envelopes above this size are in the thread one at a time. Each upstream has 8 MiB and one envelope more in flight, and each
 * envelope is copied into the thread: a dozen upstreams would fill the memory. Smaller ones do not wait for a reply.
 */
const LARGE_BYTES = 64 * 2 ** 10;

/** Scrubs in a thread of its own, which starts with the first envelope, and after its death with the next one. */
export class ScrubThread {
  readonly #worker: SupervisedWorker<ScrubCalls>;
  readonly #large = new Semaphore(1);

  /** @param start starts the thread; a test passes its own, to end it */
  constructor(start: () => WorkerHandle = startScrubWorker) {
    this.#worker = new SupervisedWorker({ start });
  }

  scrub(items: Uint8Array): Promise<Scrubbed> {
    return items.length > LARGE_BYTES ? this.#large.run(() => this.#scrub(items)) : this.#scrub(items);
  }

  async #scrub(items: Uint8Array): Promise<Scrubbed> {
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
  const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: MAX_YOUNG_MIB };
  return new Worker(file, { name: 'scrub', resourceLimits });
}
