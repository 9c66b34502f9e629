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

/**
 * Sends work to the thread that owns the spool's file.
 *
 * States: running -> dead (the thread ended by itself) or closed (after the call `close`). Pending requests are
 * rejected when it ends: none is ever answered from memory.
 */
export class SpoolThread {
  readonly #client: WorkerClient<SpoolCalls>;
  #isClosing = false;

  private constructor(worker: Worker, onOpened: (opened: Opened) => void, onDeath: (cause: Error) => void) {
    this.#client = new WorkerClient(worker, {
      onNotice: (opened) => onOpened(opened as Opened),
      onEnd: (ended) => {
        if (!this.#isClosing) onDeath(ended);
      },
    });
  }

  /**
   * Starts the thread and waits until it has opened the file.
   *
   * @param onDeath called when the thread ends by itself after it has opened the file
   * @throws the error of the thread: another process on the directory, a directory it cannot write
   */
  static async start(
    data: SpoolWorkerData,
    onDeath: (cause: Error) => void,
  ): Promise<{ readonly thread: SpoolThread; readonly opened: Opened }> {
    const file = new URL(`./db/spool.worker${extname(import.meta.filename)}`, import.meta.url);
    const resourceLimits = { maxYoungGenerationSizeMb: MAX_YOUNG_MIB };
    const worker = new Worker(file, { workerData: data, name: 'spool', resourceLimits });
    const opening = Promise.withResolvers<Opened>();
    let onEnd = opening.reject;
    const thread = new SpoolThread(worker, opening.resolve, (cause) => onEnd(cause));
    const opened = await opening.promise;
    onEnd = onDeath;
    return { thread, opened };
  }

  /** Sends work to the thread. @throws SpoolUnavailable when the work fails or the thread ends */
  async ask<C extends SpoolCall>(
    call: C,
    work: SpoolCalls[C]['work'],
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<SpoolCalls[C]['reply']> {
    this.#isClosing ||= call === 'close';
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
}
