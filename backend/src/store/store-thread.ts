import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Settlement } from '../sink/sink.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { EventStore } from './event-store.ts';
import { WorkerClient, WorkerEnded, WorkerFailure } from '../thread/worker-rpc.ts';
import { packForStore } from './event/store-envelope.ts';
import type { ProcedureArguments, ProcedureName, ProcedureResult } from './procedures.ts';
import { LASTING, NEWER, type StoreCalls, type StoreLimits, type StoreWorkerData } from './store-messages.ts';

/** The store cannot reply now: its thread or its database is down. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** A newer version of Errata has migrated the database; the message names both schemas. */
export class StoreIsNewer extends StoreUnavailable {}

export interface StoreThreadOptions {
  /** Called with each error inside the thread, and with each death of it. */
  readonly onFault: (fault: unknown) => void;
  /** Starts the thread; a test passes its own, to end it. */
  readonly start?: (data: StoreWorkerData) => Worker;
}

/** Pause before a dead thread is started again; doubled each time it dies without a reply in between. */
const MIN_RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;
/**
 * Heap of the thread: source maps in use (64 MiB), a batch being read, the rest. Above it the thread ends and starts
 * again; without the limit the whole process would be killed.
 */
const MAX_HEAP_MIB = 256;

/** Holds the garbage of one batch; Node's default of 64 MiB would only add to the memory in use. */
const MAX_YOUNG_MIB = 16;

type StoreThreadState = 'running' | 'down' | 'closed';

const MOVES: Readonly<Record<StoreThreadState, readonly StoreThreadState[]>> = {
  running: ['down', 'closed'],
  down: ['running', 'closed'],
  closed: [],
};

/**
 * Runs the store in a worker thread, and restarts the thread when it dies.
 *
 * States: running -> down (the thread died; pending calls end at once, with `retry` or an error) -> running, after a
 * pause that grows; running, down -> closed.
 */
export class StoreThread extends EventStore {
  readonly #data: StoreWorkerData;
  readonly #options: StoreThreadOptions;
  #state: StoreThreadState = 'down';
  #client: WorkerClient<StoreCalls> | null = null;
  #restartMs = MIN_RESTART_MS;
  #restart: NodeJS.Timeout | null = null;

  constructor(data: StoreWorkerData, options: StoreThreadOptions) {
    super();
    this.#data = data;
    this.#options = options;
    this.#start();
  }

  override async ingest(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]> {
    try {
      const packed = packForStore(batch);
      return await this.#request('take', packed, [packed.bytes.buffer, packed.numbers.buffer]);
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

  override ask<P extends ProcedureName>(
    procedure: P,
    ...args: ProcedureArguments<P>
  ): Promise<ProcedureResult<P>> {
    return this.#request('ask', { procedure, args }) as Promise<ProcedureResult<P>>;
  }

  override limit(limits: StoreLimits): Promise<void> {
    return this.#request('limit', limits);
  }

  /** Closes the store after the replies to all earlier calls. */
  override async close(): Promise<void> {
    if (this.#state === 'closed') return;
    const closing = this.#state === 'down' ? Promise.resolve() : this.#request('close', null);
    this.#move('closed');
    if (this.#restart !== null) clearTimeout(this.#restart);
    // A thread that dies now needs no close.
    await closing.catch(() => undefined);
  }

  async #request<Call extends keyof StoreCalls>(
    call: Call,
    work: StoreCalls[Call]['work'],
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<StoreCalls[Call]['reply']> {
    if (this.#client === null || this.#state !== 'running')
      throw new StoreUnavailable('the store is not running');
    try {
      const result = await this.#client.request(call, work, transfer);
      this.#restartMs = MIN_RESTART_MS;
      return result;
    } catch (error) {
      if (error instanceof WorkerEnded) throw diedOf(error);
      if (!(error instanceof WorkerFailure)) throw error;
      this.#restartMs = MIN_RESTART_MS;
      if (error.code === NEWER) throw new StoreIsNewer(error.message);
      throw error.code === LASTING ? new Error(error.message) : new StoreUnavailable(error.message);
    }
  }

  #start(): void {
    this.#client = new WorkerClient((this.#options.start ?? startStoreWorker)(this.#data), {
      onNotice: this.#options.onFault,
      onEnd: (ended) => this.#end(ended),
    });
    this.#move('running');
  }

  #end(ended: WorkerEnded): void {
    this.#client = null;
    if (this.#state === 'closed') return;
    this.#move('down');
    this.#options.onFault(diedOf(ended));
    this.#restart = setTimeout(() => this.#start(), this.#restartMs).unref();
    this.#restartMs = Math.min(this.#restartMs * 2, MAX_RESTART_MS);
  }

  #move(to: StoreThreadState): void {
    if (!MOVES[this.#state].includes(to)) throw new Error(`store thread: ${this.#state} -> ${to}`);
    this.#state = to;
  }
}

function diedOf({ cause, message }: WorkerEnded): StoreUnavailable {
  return new StoreUnavailable(`the thread of the store ended: ${message}`, { cause });
}

/** Starts the store's thread. */
export function startStoreWorker(data: StoreWorkerData): Worker {
  const file = new URL(`./store.worker${extname(import.meta.filename)}`, import.meta.url);
  return new Worker(file, {
    name: 'store',
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: MAX_YOUNG_MIB },
  });
}
