import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface ScrubRequest {
  readonly id: number;
  readonly items: Uint8Array;
}

export type ScrubReply =
  | { readonly id: number; readonly items: Uint8Array }
  /** They cannot be scrubbed. */
  | { readonly id: number; readonly fault: string };

/** What came of scrubbing; `unavailable`: the thread ended meanwhile, and is started again for the next ones. */
export type Scrubbed =
  | { readonly outcome: 'scrubbed'; readonly items: Uint8Array }
  | { readonly outcome: 'unscrubbable'; readonly detail: string }
  | { readonly outcome: 'unavailable' };

/** Above it the thread ends, where the process would be killed. */
const MAX_HEAP_MIB = 256;

/**
 * Scrubs in a thread of its own, which is started with the first envelope.
 *
 * States: idle -> running -> idle (the thread died; what waited is `unavailable`); closed is the end.
 */
export class ScrubThread {
  readonly #waiting = new Map<number, (scrubbed: Scrubbed) => void>();
  #worker: Worker | undefined;
  #nextId = 0;
  #isClosed = false;

  scrub(items: Uint8Array): Promise<Scrubbed> {
    if (this.#isClosed) return Promise.resolve({ outcome: 'unavailable' });
    this.#worker ??= this.#start();
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#worker?.postMessage({ id, items } satisfies ScrubRequest);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const file = new URL(`./scrub.worker${extname(import.meta.filename)}`, import.meta.url);
    const worker = new Worker(file, {
      name: 'scrub',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    worker.on('message', (reply: ScrubReply) => this.#take(reply));
    // Its end says the same, and comes in any case.
    worker.on('error', () => undefined);
    worker.on('exit', () => this.#end());
    return worker;
  }

  #take(reply: ScrubReply): void {
    const resolve = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('items' in reply) resolve?.({ outcome: 'scrubbed', items: reply.items });
    else resolve?.({ outcome: 'unscrubbable', detail: reply.fault });
  }

  #end(): void {
    this.#worker = undefined;
    for (const resolve of this.#waiting.values()) resolve({ outcome: 'unavailable' });
    this.#waiting.clear();
  }
}
