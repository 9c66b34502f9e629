import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isDamage } from '../sqlite/database-file.ts';
import { SupervisedWorker } from '../thread/supervised-worker.ts';
import {
  type CallArguments,
  type CallResult,
  WorkerFailure,
  type WorkerHandle,
} from '../thread/worker-rpc.ts';
import type { SpoolCalls } from './db/spool.worker.ts';
import type { Opened, SpoolWorkerData } from './protocol/spool-messages.ts';

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
/** Pause before a dead thread is started again. */
const RESTART_PAUSE_MS = 100;

/** Starts the thread of a spool; a test passes its own, to share it. */
export type StartSpool = (data: SpoolWorkerData) => WorkerHandle;

interface SpoolThreadEvents {
  /** A thread has opened the file: the first one, or one that replaces a dead thread. */
  readonly onOpened: (opened: Opened) => void;
  readonly onDeath: (cause: Error) => void;
}

/** Sends work to the thread that owns the spool's file, while it runs. */
export class SpoolThread {
  readonly #worker: SupervisedWorker<SpoolCalls>;
  #isDamaged = false;

  constructor(
    data: SpoolWorkerData,
    start: StartSpool = startSpoolWorker,
    { onOpened, onDeath }: SpoolThreadEvents,
  ) {
    this.#worker = new SupervisedWorker({
      start: () => start({ ...data, isDamaged: this.#isDamaged }),
      pauseMs: { min: RESTART_PAUSE_MS, max: RESTART_PAUSE_MS },
      onReady: (opened) => {
        this.#isDamaged = false;
        onOpened(opened as Opened);
      },
      onDeath: (ended) => {
        this.#isDamaged ||= isDamage(ended.cause);
        onDeath(ended);
      },
    });
  }

  get isOpen(): boolean {
    return this.#worker.isRunning;
  }

  /** Starts the first thread. @throws its error: another process on the directory, a directory it cannot write. */
  open(): Promise<void> {
    return this.#worker.open();
  }

  /** @throws SpoolUnavailable when the work fails or the thread does not run. */
  async ask<Call extends keyof SpoolCalls>(
    call: Call,
    args: CallArguments<SpoolCalls, Call>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<CallResult<SpoolCalls, Call>> {
    return this.#worker.request(call, args, transfer).catch(rejectUnavailable);
  }

  /** Has the thread close the file; starts no further thread. */
  close(): Promise<void> {
    return this.#worker.close().catch(rejectUnavailable);
  }
}

function rejectUnavailable(error: unknown): never {
  const isFull = error instanceof WorkerFailure && error.code === 'full';
  throw new SpoolUnavailable(
    isFull ? 'full' : 'error',
    error instanceof Error ? error.message : String(error),
  );
}

export function startSpoolWorker(data: SpoolWorkerData): Worker {
  const file = new URL(`./db/spool.worker${extname(import.meta.filename)}`, import.meta.url);
  const resourceLimits = { maxYoungGenerationSizeMb: MAX_YOUNG_MIB };
  return new Worker(file, { workerData: data, name: 'spool', resourceLimits });
}
