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

type ScrubThreadState = 'idle' | 'running' | 'closed';

const MOVES: Readonly<Record<ScrubThreadState, readonly ScrubThreadState[]>> = {
  idle: ['running', 'closed'],
  running: ['idle', 'closed'],
  closed: [],
};

/**
 * Scrubs in a thread of its own, which starts with the first envelope.
 *
 * States: idle -> running -> idle (the thread died; pending envelopes are `unavailable`); idle, running -> closed.
 */
export class ScrubThread {
  #running: { readonly worker: Worker; readonly client: WorkerClient<ScrubCalls> } | undefined;
  readonly #startWorker: () => Worker;
  #state: ScrubThreadState = 'idle';

  /** @param startWorker starts the thread; a test passes its own, to end it */
  constructor(startWorker = startScrubWorker) {
    this.#startWorker = startWorker;
  }

  async scrub(items: Uint8Array): Promise<Scrubbed> {
    if (this.#state === 'closed') return { outcome: 'unavailable' };
    this.#running ??= this.#start();
    try {
      return { outcome: 'scrubbed', items: await this.#running.client.request('scrub', items) };
    } catch (error) {
      if (error instanceof WorkerFailure) return { outcome: 'unscrubbable', detail: error.message };
      return { outcome: 'unavailable' };
    }
  }

  async close(): Promise<void> {
    if (this.#state !== 'closed') this.#move('closed');
    await this.#running?.worker.terminate();
  }

  #start(): { readonly worker: Worker; readonly client: WorkerClient<ScrubCalls> } {
    const worker = this.#startWorker();
    const client = new WorkerClient<ScrubCalls>(worker, {
      onEnd: () => {
        this.#running = undefined;
        if (this.#state === 'running') this.#move('idle');
      },
    });
    this.#move('running');
    return { worker, client };
  }

  #move(to: ScrubThreadState): void {
    if (!MOVES[this.#state].includes(to)) throw new Error(`scrub thread: ${this.#state} -> ${to}`);
    this.#state = to;
  }
}

export function startScrubWorker(): Worker {
  const file = new URL(`./scrub.worker${extname(import.meta.filename)}`, import.meta.url);
  return new Worker(file, { name: 'scrub', resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
}
