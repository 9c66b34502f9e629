import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SpoolReply, SpoolRequest, SpoolWorkerData } from './spool-messages.ts';

/** The spool cannot take or give anything now; `reason` says whether its cap is reached. */
export class SpoolUnavailable extends Error {
  readonly reason: 'full' | 'error' | 'closed' | 'timeout' | 'busy';

  constructor(reason: SpoolUnavailable['reason'], message: string) {
    super(message);
    this.name = 'SpoolUnavailable';
    this.reason = reason;
  }
}

interface Waiting {
  readonly resolve: (reply: SpoolReply) => void;
  readonly reject: (error: SpoolUnavailable) => void;
}

/**
 * Requests to the worker thread and their replies, which come in the same order.
 *
 * States: running -> dead (the thread ended on its own) or closed (it was told to). All that wait when it ends
 * are rejected: none is ever answered from memory.
 */
export class SpoolThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #isRunning = true;

  private constructor(worker: Worker, onDeath: (cause: Error) => void) {
    this.#worker = worker;
    let isClosed = false;
    worker.on('message', (reply: SpoolReply) => {
      isClosed ||= reply.kind === 'closed';
      this.#settleOldest(reply);
    });
    let cause = new Error('the spool thread ended');
    worker.on('error', (error) => {
      cause = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', () => {
      this.#isRunning = false;
      for (const { reject } of this.#waiting.splice(0)) reject(new SpoolUnavailable('error', cause.message));
      if (!isClosed) onDeath(cause);
    });
  }

  /**
   * Starts the thread and waits until it has the file.
   *
   * @returns the thread and how many acknowledged envelopes a damaged file lost.
   * @throws what the thread met: another process on the directory, a directory it cannot write.
   */
  static async start(
    data: SpoolWorkerData,
    onDeath: (cause: Error) => void,
  ): Promise<{ readonly thread: SpoolThread; readonly lost: number }> {
    const file = new URL(`./spool.worker${extname(import.meta.filename)}`, import.meta.url);
    const worker = new Worker(file, { workerData: data });
    const [first] = (await once(worker, 'message')) as [SpoolReply];
    const lost = first.kind === 'opened' ? first.lost : 0;
    return { thread: new SpoolThread(worker, onDeath), lost };
  }

  /** Sends a request; rejects with {@link SpoolUnavailable} when the thread fails it or ends. */
  async ask<K extends SpoolReply['kind']>(
    request: SpoolRequest,
    expected: K,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<Extract<SpoolReply, { kind: K }>> {
    if (!this.#isRunning) throw new SpoolUnavailable('error', 'the spool thread is not running');
    const reply = await new Promise<SpoolReply>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request, [...transfer]);
    });
    if (reply.kind === 'failed') throw new SpoolUnavailable(reply.reason, reply.message);
    if (reply.kind !== expected) throw new SpoolUnavailable('error', `unexpected reply ${reply.kind}`);
    return reply as Extract<SpoolReply, { kind: K }>;
  }

  #settleOldest(reply: SpoolReply): void {
    this.#waiting.shift()?.resolve(reply);
  }
}
