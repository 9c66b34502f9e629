import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WorkerClient, WorkerFailure } from '../thread/worker-rpc.ts';
import type { Opened, SpoolCall, SpoolCalls, SpoolWorkerData } from './protocol/spool-messages.ts';

/** The spool cannot append or read now; `reason` says whether its cap is reached. */
export class SpoolUnavailable extends Error {
  override readonly name = 'SpoolUnavailable';
  readonly reason: 'full' | 'error' | 'closed' | 'busy';

  constructor(reason: SpoolUnavailable['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Objects of the thread live for one commit; Node's default of 64 MiB would only add to the memory in use. */
const MAX_YOUNG_MIB = 8;

type SpoolThreadState = 'opening' | 'running' | 'closing' | 'closed' | 'dead';

const MOVES: Readonly<Record<SpoolThreadState, readonly SpoolThreadState[]>> = {
  opening: ['running', 'dead'],
  running: ['closing', 'dead'],
  closing: ['closed'],
  closed: [],
  dead: [],
};

/**
 * Sends work to the thread that owns the spool's file. Pending requests are rejected when the thread ends: none is ever
 * answered from memory.
 *
 * States: opening -> running -> closing (after the call `close`) -> closed; opening, running -> dead (the thread ended
 * by itself).
 */
export class SpoolThread {
  readonly #client: WorkerClient<SpoolCalls>;
  readonly #opening = Promise.withResolvers<Opened>();
  #state: SpoolThreadState = 'opening';

  private constructor(worker: Worker, onDeath: (cause: Error) => void) {
    this.#client = new WorkerClient(worker, {
      onNotice: (opened) => this.#opening.resolve(opened as Opened),
      onEnd: (ended) => {
        const before = this.#state;
        this.#move(before === 'closing' ? 'closed' : 'dead');
        if (before === 'opening') this.#opening.reject(ended);
        if (before === 'running') onDeath(ended);
      },
    });
  }

  /**
   * Starts the thread and waits until it has opened the file.
   *
   * @param onDeath called when the thread ends by itself after this method has returned it
   * @param startWorker starts the thread; a test passes its own
   * @throws the error of the thread: another process on the directory, a directory it cannot write
   */
  static async start(
    data: SpoolWorkerData,
    onDeath: (cause: Error) => void,
    startWorker = startSpoolWorker,
  ): Promise<{ readonly thread: SpoolThread; readonly opened: Opened }> {
    const thread = new SpoolThread(startWorker(data), onDeath);
    const opened = await thread.#opening.promise;
    // While the main thread is busy, the end of the thread can arrive in the same turn as its notice, before this line.
    if (thread.#state === 'dead')
      throw new Error('the spool thread ended right after it had opened the file');
    thread.#move('running');
    return { thread, opened };
  }

  /** Sends work to the thread. @throws SpoolUnavailable when the work fails or the thread ends */
  async ask<C extends SpoolCall>(
    call: C,
    work: SpoolCalls[C]['work'],
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<SpoolCalls[C]['reply']> {
    if (call === 'close' && this.#state === 'running') this.#move('closing');
    try {
      return await this.#client.request(call, work, transfer);
    } catch (error) {
      const isFull = error instanceof WorkerFailure && error.code === 'full';
      throw new SpoolUnavailable(
        isFull ? 'full' : 'error',
        error instanceof Error ? error.message : String(error),
      );
    }
  }

  #move(to: SpoolThreadState): void {
    if (!MOVES[this.#state].includes(to)) throw new Error(`spool thread: ${this.#state} -> ${to}`);
    this.#state = to;
  }
}

function startSpoolWorker(data: SpoolWorkerData): Worker {
  const file = new URL(`./db/spool.worker${extname(import.meta.filename)}`, import.meta.url);
  const resourceLimits = { maxYoungGenerationSizeMb: MAX_YOUNG_MIB };
  return new Worker(file, { workerData: data, name: 'spool', resourceLimits });
}
