import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EventDetail, EventList, FindAnswer, IssueAnswer, IssueList } from '../contract/console-api.ts';
import type { Settlement } from '../relay/sink.ts';
import type { SpooledEnvelope } from '../spool/spooled-envelope.ts';
import { EventStore, type Retained, type RetentionLimits, type StoredSession } from './event-store.ts';
import { packForStore } from './store-envelope.ts';
import type { CallArguments, CallName, CallResult, StoreReply, StoreWorkerData } from './store-messages.ts';

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
  readonly reject: (error: StoreUnavailable) => void;
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

  override async ingest(batch: readonly SpooledEnvelope[]): Promise<readonly Settlement[]> {
    try {
      const packed = packForStore(batch);
      return await this.#call('take', [packed], [packed.bytes.buffer, packed.numbers.buffer]);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) this.#options.onFault(error);
      const retry: Settlement = {
        outcome: 'retry',
        reason: 'store_down',
        retryAfterMs: this.#restartMs,
        blame: 'sink',
      };
      return batch.map(() => retry);
    }
  }

  override ownProjectKey(): Promise<string> {
    return this.#call('ownProjectKey', []);
  }

  override find(query: string): Promise<FindAnswer> {
    return this.#call('find', [query]);
  }

  override issues(limit: number, cursor: string | null): Promise<IssueList> {
    return this.#call('issues', [limit, cursor]);
  }

  override issue(digest: string): Promise<IssueAnswer | undefined> {
    return this.#call('issue', [digest]);
  }

  override issueEvents(digest: string, limit: number, cursor: string | null): Promise<EventList | undefined> {
    return this.#call('issueEvents', [digest, limit, cursor]);
  }

  override event(eventId: string): Promise<EventDetail | undefined> {
    return this.#call('event', [eventId]);
  }

  override saveSession(session: StoredSession): Promise<void> {
    return this.#call('saveSession', [session]);
  }

  override session(tokenHash: string): Promise<StoredSession | undefined> {
    return this.#call('session', [tokenHash]);
  }

  override touchSession(tokenHash: string, lastSeenAtMs: number): Promise<void> {
    return this.#call('touchSession', [tokenHash, lastSeenAtMs]);
  }

  override deleteSession(tokenHash: string): Promise<void> {
    return this.#call('deleteSession', [tokenHash]);
  }

  override retain(limits: RetentionLimits, nowMs: number): Promise<Retained> {
    return this.#call('retain', [limits, nowMs]);
  }

  /** What was asked for before is answered first. */
  override async close(): Promise<void> {
    if (this.#isClosed) return;
    const closing = this.#worker === null ? Promise.resolve() : this.#call('close', []);
    this.#isClosed = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
    // A thread that dies now is as closed.
    await closing.catch(() => undefined);
  }

  #call<N extends CallName>(
    name: N,
    args: CallArguments<N>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<CallResult<N>> {
    const worker = this.#worker;
    if (worker === null || this.#isClosed) {
      return Promise.reject(new StoreUnavailable('the store is not running'));
    }
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, name, arguments: args }, [...transfer]);
    }) as Promise<CallResult<N>>;
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
    else waiting?.reject(new StoreUnavailable(reply.message));
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
