import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Settlement } from '../sink/sink.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { EventStore } from './event-store.ts';
import type { CallArguments, CallResult, StoreCall } from './procedures.ts';
import { packForStore } from './event/store-envelope.ts';
import type { StoreReply, StoreRequest, StoreWork, StoreWorkerData } from './store-messages.ts';

/** The store cannot answer now: its thread is down, or its database is. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

export interface StoreThreadOptions {
  /** Hears of what went wrong in the thread, and of its deaths. */
  readonly onFault: (fault: unknown) => void;
  /** Makes the thread; a test keeps it, to end it. */
  readonly start?: (data: StoreWorkerData) => Worker;
}

/** A thread that dies is started again after this, doubled each time it dies without having answered. */
const MIN_RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;
/**
 * Heap of the thread: source maps in use (64 MiB), a batch being read, the rest. Above it the thread ends and is
 * started again, where the process would be killed.
 */
const MAX_HEAP_MIB = 256;

/** For what a batch leaves behind; the default of 64 MiB is given back to nobody. */
const MAX_YOUNG_MIB = 16;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The store as the rest of the process sees it: calls into its worker thread.
 *
 * States: running -> down (the thread died; all that waits is answered at once, `retry` or an error) -> running,
 * after a pause that grows; closed is the end.
 */
export class StoreThread extends EventStore {
  readonly #data: StoreWorkerData;
  readonly #options: StoreThreadOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #nextId = 0;
  #restartMs = MIN_RESTART_MS;
  #restart: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(data: StoreWorkerData, options: StoreThreadOptions) {
    super();
    this.#data = data;
    this.#options = options;
    this.#start();
  }

  override async ingest(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]> {
    try {
      const packed = packForStore(batch);
      return await this.#request<readonly Settlement[]>({ kind: 'take', packed }, [
        packed.bytes.buffer,
        packed.numbers.buffer,
      ]);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) this.#options.onFault(error);
      const retry: Settlement = {
        outcome: 'retry',
        reason: 'store_down',
        retryAfterMs: this.#restartMs,
        scope: 'sink',
      };
      return batch.map(() => retry);
    }
  }

  override ask<C extends StoreCall>(call: C, ...args: CallArguments<C>): Promise<CallResult<C>> {
    return this.#request<CallResult<C>>({ kind: 'ask', call, args });
  }

  /** What was asked for before is answered first. */
  override async close(): Promise<void> {
    if (this.#isClosed) return;
    const closing = this.#worker === null ? Promise.resolve() : this.#request<void>({ kind: 'close' });
    this.#isClosed = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
    // A thread that dies now is as closed.
    await closing.catch(() => undefined);
  }

  #request<Result>(work: StoreWork, transfer: readonly ArrayBuffer[] = []): Promise<Result> {
    const worker = this.#worker;
    if (worker === null || this.#isClosed) {
      return Promise.reject(new StoreUnavailable('the store is not running'));
    }
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ ...work, id } satisfies StoreRequest, [...transfer]);
    }) as Promise<Result>;
  }

  #start(): void {
    const worker = (this.#options.start ?? startStoreWorker)(this.#data);
    this.#worker = worker;
    let cause: unknown;
    worker.on('message', (reply: StoreReply) => this.#take(reply));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => this.#end(cause));
  }

  #take(reply: StoreReply): void {
    if (reply.kind === 'fault') {
      this.#options.onFault(reply.fault);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    this.#restartMs = MIN_RESTART_MS;
    if (reply.kind === 'result') waiting?.resolve(reply.result);
    else waiting?.reject(reply.isLasting ? new Error(reply.message) : new StoreUnavailable(reply.message));
  }

  #end(cause: unknown): void {
    this.#worker = null;
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    const died = new StoreUnavailable(`the thread of the store ended${reason}`, { cause });
    for (const { reject } of this.#waiting.values()) reject(died);
    this.#waiting.clear();
    if (this.#isClosed) return;
    this.#options.onFault(died);
    this.#restart = setTimeout(() => this.#start(), this.#restartMs).unref();
    this.#restartMs = Math.min(this.#restartMs * 2, MAX_RESTART_MS);
  }
}

/** The thread as it is started in earnest. */
export function startStoreWorker(data: StoreWorkerData): Worker {
  const file = new URL(`./store.worker${extname(import.meta.filename)}`, import.meta.url);
  return new Worker(file, {
    name: 'store',
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: MAX_YOUNG_MIB },
  });
}
