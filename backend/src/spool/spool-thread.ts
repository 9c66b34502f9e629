import { on } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type {
  Opened,
  SpoolCall,
  SpoolCalls,
  SpoolReply,
  SpoolWorkerData,
} from './protocol/spool-messages.ts';

/** The spool cannot take or give anything now; `reason` says whether its cap is reached. */
export class SpoolUnavailable extends Error {
  readonly reason: 'full' | 'error' | 'closed' | 'busy';

  constructor(reason: SpoolUnavailable['reason'], message: string) {
    super(message);
    this.name = 'SpoolUnavailable';
    this.reason = reason;
  }
}

/** What the thread makes lives for one commit; the default of 64 MiB would only be memory that nobody gives back. */
const MAX_YOUNG_MIB = 8;

const REPLY_KINDS: readonly string[] = ['opened', 'done', 'failed'] satisfies readonly SpoolReply['kind'][];

/**
 * Tells the worker's replies from messages of Node itself: under `node --watch` a worker posts `{"watch:import": […]}`
 * to its parent for each module that it loads.
 */
function isReply(message: unknown): message is SpoolReply {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    REPLY_KINDS.includes(String(message.kind))
  );
}

/** Waits for the worker's first reply. @throws the error that ended the worker before it. */
async function firstReply(worker: Worker): Promise<SpoolReply> {
  for await (const [message] of on(worker, 'message')) if (isReply(message)) return message;
  throw new Error('the spool thread ended');
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
  #isClosing = false;

  private constructor(worker: Worker, onDeath: (cause: Error) => void) {
    this.#worker = worker;
    worker.on('message', (message: unknown) => {
      if (isReply(message)) this.#waiting.shift()?.resolve(message);
    });
    let cause = new Error('the spool thread ended');
    worker.on('error', (error) => {
      cause = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', () => {
      this.#isRunning = false;
      for (const { reject } of this.#waiting.splice(0)) reject(new SpoolUnavailable('error', cause.message));
      if (!this.#isClosing) onDeath(cause);
    });
  }

  /**
   * Starts the thread and waits until it has the file.
   *
   * @throws what the thread met: another process on the directory, a directory it cannot write.
   */
  static async start(
    data: SpoolWorkerData,
    onDeath: (cause: Error) => void,
  ): Promise<{ readonly thread: SpoolThread; readonly opened: Opened }> {
    const file = new URL(`./db/spool.worker${extname(import.meta.filename)}`, import.meta.url);
    const resourceLimits = { maxYoungGenerationSizeMb: MAX_YOUNG_MIB };
    const worker = new Worker(file, { workerData: data, name: 'spool', resourceLimits });
    const first = await firstReply(worker);
    if (first.kind !== 'opened') throw new Error(`the spool thread began with ${first.kind}`);
    return { thread: new SpoolThread(worker, onDeath), opened: first.opened };
  }

  /** Has the thread do something; rejects with {@link SpoolUnavailable} when it fails or ends. */
  async ask<C extends SpoolCall>(
    call: C,
    work: SpoolCalls[C]['work'],
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<SpoolCalls[C]['reply']> {
    if (!this.#isRunning) throw new SpoolUnavailable('error', 'the spool thread is not running');
    this.#isClosing ||= call === 'close';
    const reply = await new Promise<SpoolReply>((resolve, reject) => {
      // First, as it can throw: replies are told apart by their order.
      this.#worker.postMessage({ call, work }, [...transfer]);
      this.#waiting.push({ resolve, reject });
    });
    if (reply.kind === 'failed') throw new SpoolUnavailable(reply.reason, reply.message);
    if (reply.kind === 'opened') throw new SpoolUnavailable('error', 'the spool thread began anew');
    return reply.reply;
  }
}
