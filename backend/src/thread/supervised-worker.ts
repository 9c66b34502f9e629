import { setTimeout as delay } from 'node:timers/promises';
import type { Transferable } from 'node:worker_threads';
import {
  type CallArguments,
  type CallResult,
  WorkerClient,
  type WorkerCalls,
  WorkerEnded,
  type WorkerHandle,
} from './worker-rpc.ts';

/** Pause before a dead worker starts again, ms: doubled with each death until the worker replies. */
export interface RestartPause {
  readonly min: number;
  readonly max: number;
}

export interface SupervisedWorkerOptions {
  /** Starts the worker; a test passes its own. */
  readonly start: () => WorkerHandle;
  /** Without it the worker starts with the first request, and after a death with the next one. */
  readonly pauseMs?: RestartPause;
  /** Called with the first notice of each worker, which says that it is ready. Without it a worker is ready at once. */
  readonly onReady?: (notice: unknown) => void;
  /** Called with each other notice. */
  readonly onNotice?: (notice: unknown) => void;
  /** Called when a worker ended by itself: while it ran, or before it was ready again. */
  readonly onDeath?: (ended: WorkerEnded) => void;
  readonly pause?: (ms: number) => Promise<void>;
}

type WorkerState = 'down' | 'starting' | 'running' | 'closed';

const MOVES: Readonly<Record<WorkerState, readonly WorkerState[]>> = {
  down: ['starting', 'closed'],
  starting: ['running', 'down', 'closed'],
  running: ['down', 'closed'],
  closed: [],
};

/**
 * Keeps one worker running: starts it again after each death, until it is closed. Requests are refused while it does
 * not run; those under way are rejected when it ends, and none is sent twice.
 *
 * States: down -> starting -> running (it is ready); starting, running -> down (it ended); all -> closed.
 */
export class SupervisedWorker<Calls extends WorkerCalls<Calls>> {
  readonly #options: SupervisedWorkerOptions;
  #state: WorkerState = 'down';
  #worker: WorkerHandle | undefined;
  #client: WorkerClient<Calls> | undefined;
  #opening: PromiseWithResolvers<void> | undefined;
  #pauseMs: number;
  /** Why the last worker ended: one whose file cannot be opened ends at each start. */
  #lastEnd: WorkerEnded | undefined;

  constructor(options: SupervisedWorkerOptions) {
    this.#options = options;
    this.#pauseMs = options.pauseMs?.min ?? 0;
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  /** Pause before the next start. */
  get pauseMs(): number {
    return this.#pauseMs;
  }

  /** Starts the first worker. Rejects with {@link WorkerEnded} if it ends before it is ready; it is not started again. */
  open(): Promise<void> {
    this.#opening = Promise.withResolvers();
    const { promise } = this.#opening;
    this.start();
    return promise;
  }

  /** Starts the first worker; where that fails, a worker has died. */
  start(): void {
    this.#move('starting');
    try {
      this.#worker = this.#options.start();
    } catch (cause) {
      // The system has no room for another thread now: ERR_WORKER_INIT_FAILED.
      this.#ended(new WorkerEnded('the thread did not start', { cause }));
      return;
    }
    this.#client = new WorkerClient<Calls>(this.#worker, {
      onNotice: (notice) => this.#noticed(notice),
      onEnd: (ended) => this.#ended(ended),
    });
    if (this.#options.onReady === undefined) this.#ready();
  }

  /**
   * Sends one request; see {@link WorkerClient.request}.
   *
   * @throws WorkerEnded also while the worker does not run; the message says why the last one ended.
   */
  async request<Call extends keyof Calls & string>(
    call: Call,
    args: CallArguments<Calls, Call>,
    transfer?: readonly Transferable[],
  ): Promise<CallResult<Calls, Call>> {
    if (this.#state === 'down' && this.#options.pauseMs === undefined) this.start();
    if (this.#client === undefined || this.#state !== 'running') {
      const reason = this.#lastEnd === undefined ? '' : `: ${this.#lastEnd.message}`;
      throw new WorkerEnded(`the thread is not running${reason}`, { cause: this.#lastEnd?.cause });
    }
    try {
      return await this.#client.request(call, args, transfer);
    } finally {
      if (this.isRunning) this.#pauseMs = this.#options.pauseMs?.min ?? 0;
    }
  }

  /**
   * Has the worker close after its replies to earlier requests, by its call `close`; starts no further one. One that is
   * not ready yet closes later.
   */
  async close(): Promise<void> {
    const before = this.#state;
    if (before === 'closed') return;
    this.#move('closed');
    const closing = this.#client?.close();
    if (before === 'running') await closing;
    else closing?.catch(() => undefined);
  }

  /** Ends the worker at once, with its requests under way; starts no further one. */
  async terminate(): Promise<void> {
    if (this.#state !== 'closed') this.#move('closed');
    await this.#worker?.terminate();
  }

  #noticed(notice: unknown): void {
    if (this.#state !== 'starting') {
      this.#options.onNotice?.(notice);
      return;
    }
    this.#ready();
    this.#options.onReady?.(notice);
  }

  #ready(): void {
    this.#move('running');
    this.#opening?.resolve();
    this.#opening = undefined;
  }

  #ended(ended: WorkerEnded): void {
    this.#client = undefined;
    this.#lastEnd = ended;
    if (this.#state === 'closed') return;
    this.#move('down');
    if (this.#opening !== undefined) {
      this.#opening.reject(ended);
      return;
    }
    this.#options.onDeath?.(ended);
    if (this.#options.pauseMs !== undefined) void this.#restart(this.#options.pauseMs);
  }

  async #restart({ max }: RestartPause): Promise<void> {
    const pause = this.#options.pause ?? ((ms) => delay(ms, undefined, { ref: false }));
    const paused = pause(this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, max);
    await paused;
    if (this.#state === 'down') this.start();
  }

  #move(to: WorkerState): void {
    if (!MOVES[this.#state].includes(to)) throw new Error(`supervised worker: ${this.#state} -> ${to}`);
    this.#state = to;
  }
}
