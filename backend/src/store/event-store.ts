import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isDamage } from '../sqlite/database-file.ts';
import type { MovedFile } from '../sqlite/rescue-file.ts';
import type { Settlement } from '../sink/sink.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { SupervisedWorker } from '../thread/supervised-worker.ts';
import {
  type CallArguments,
  type CallResult,
  WorkerEnded,
  WorkerFailure,
  type WorkerHandle,
} from '../thread/worker-rpc.ts';
import { packForStore } from './event/store-envelope.ts';
import type { ProcedureArguments, ProcedureName, ProcedureResult } from './procedures.ts';
import {
  LASTING,
  REFUSED,
  type StoreLimits,
  type StoreNotice,
  type StoreWorkerData,
  UNUSABLE,
} from './store-messages.ts';
import type { StoreCalls } from './store.worker.ts';

/** The store cannot reply now: its thread or its database is down. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** Only an operator can make the database usable. The message has the reason, from Errata or in the words of the server. */
export class StoreUnusable extends StoreUnavailable {}

/** The database refuses the connection or the role, in the words of the message, until an operator changes something. */
export class StoreRefused extends StoreUnavailable {}

export interface EventStoreOptions {
  /** Called with each error inside the thread, with each death of it, and with each {@link StoreRefused}. */
  readonly onFault: (fault: unknown) => void;
  /** Called with each warning of Node or of a library inside the thread. */
  readonly onWarning?: (warning: string) => void;
  /** Starts the thread; a test passes its own, to end it or to share it. */
  readonly start?: ((data: StoreWorkerData) => WorkerHandle) | undefined;
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

/**
 * Stores errors, feedback and browser reports, and finds them by digest, reference or event id.
 *
 * Its {@link Store} runs in a worker thread: parsing, digesting, source-mapping and a synchronous database never block the
 * HTTP thread. The thread is restarted when it dies; pending calls end then, with `retry` or an error.
 */
export class EventStore {
  readonly #onFault: (fault: unknown) => void;
  readonly #worker: SupervisedWorker<StoreCalls>;
  #isDamaged = false;

  constructor(data: StoreWorkerData, { onFault, onWarning, start = startStoreWorker }: EventStoreOptions) {
    this.#onFault = onFault;
    this.#worker = new SupervisedWorker({
      start: () => start({ ...data, isDamaged: this.#isDamaged }),
      pauseMs: { min: MIN_RESTART_MS, max: MAX_RESTART_MS },
      onNotice: (notice) => {
        if (!isStoreNotice(notice)) onFault(notice);
        else if ('warning' in notice) onWarning?.(notice.warning);
        else if ('refusal' in notice) this.#refused(notice.refusal);
        else this.#replaced(notice.moved);
      },
      onDeath: (ended) => {
        this.#isDamaged ||= isDamage(ended.cause);
        onFault(unavailableBy(ended));
      },
    });
    this.#worker.start();
  }

  /** Stores the events and feedback of a batch. Returns one settlement for each envelope, after a durable commit. */
  async ingest(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]> {
    try {
      const packed = packForStore(batch);
      return await this.#request('take', [packed], [packed.bytes.buffer, packed.numbers.buffer]);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) this.#onFault(error);
      const retry: Settlement = {
        outcome: 'retry',
        reason: 'store_down',
        retryAfterMs: this.#worker.pauseMs,
        scope: 'sink',
      };
      return batch.map(() => retry);
    }
  }

  /**
   * Runs a procedure: procedures.ts lists all, `find` and the like are in issue-procedures.ts.
   *
   * @throws StoreUnavailable while the store cannot answer.
   */
  ask<P extends ProcedureName>(procedure: P, ...args: ProcedureArguments<P>): Promise<ProcedureResult<P>> {
    return this.#request('ask', [procedure, args]) as Promise<ProcedureResult<P>>;
  }

  /** Sets other limits, from the next batch on. @throws StoreUnavailable while the store cannot answer. */
  limit(limits: StoreLimits): Promise<void> {
    return this.#request('limit', [limits]);
  }

  /** Closes the store after the replies to all earlier calls. */
  async close(): Promise<void> {
    // A thread that dies now needs no close.
    await this.#worker.close().catch(() => undefined);
  }

  async #request<Call extends keyof StoreCalls>(
    call: Call,
    args: CallArguments<StoreCalls, Call>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<CallResult<StoreCalls, Call>> {
    try {
      return await this.#worker.request(call, args, transfer);
    } catch (error) {
      if (error instanceof WorkerEnded) throw unavailableBy(error);
      if (!(error instanceof WorkerFailure)) throw error;
      if (error.code === UNUSABLE) throw new StoreUnusable(error.message);
      if (error.code === REFUSED) throw this.#refused(error.message);
      throw error.code === LASTING ? new Error(error.message) : new StoreUnavailable(error.message);
    }
  }

  #replaced({ movedTo, incomplete, problem }: MovedFile): void {
    this.#isDamaged = false;
    const missing = incomplete.map(({ name }) => name).join(', ');
    const end =
      problem === null
        ? `a copy of what could be read took its place; rows are missing of: ${missing || 'none'}`
        : `created again, as no copy could be made: ${problem}`;
    this.#onFault(new Error(`the file of the store was damaged and moved to ${movedTo}; ${end}`));
  }

  #refused(words: string): StoreRefused {
    const refused = new StoreRefused(words);
    this.#onFault(refused);
    return refused;
  }
}

function isStoreNotice(notice: unknown): notice is StoreNotice {
  return (
    typeof notice === 'object' &&
    notice !== null &&
    ['warning', 'refusal', 'moved'].some((kind) => kind in notice)
  );
}

function unavailableBy({ cause, message }: WorkerEnded): StoreUnavailable {
  return new StoreUnavailable(`the store: ${message}`, { cause });
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
