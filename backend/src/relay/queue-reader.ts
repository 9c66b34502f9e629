import type { DispatchQueue } from './dispatch-queue.ts';
import type { FailedEnvelopes } from './failed-envelopes.ts';

/** What a reader needs of its dispatcher. */
interface ReaderContext {
  readonly isFlowing: () => boolean;
  /** Monotonic clock, ms. */
  readonly nowMs: () => number;
  /** The next failed envelope is due after this time. */
  readonly onWait: (waitMs: number) => void;
  /** An envelope has left the spool: expired, evicted or erased. */
  readonly onGone: (id: number) => void;
  readonly onFailure: (error: unknown) => void;
  /** A read has ended. */
  readonly onEnd: () => void;
  /** Most failed envelopes per second: many of them together must not ask an upstream faster than a backlog. */
  readonly maxRate: number;
}

/**
 * Reads from the disk what a dispatcher sends next, one read at a time.
 *
 * While the sink accepts envelopes, untried ones come first and in order; each failed one follows when it is due. While it
 * fails, one envelope at a time is a probe: the newest untried error, without one the newest of the next class. A failed one
 * may fail through its own fault, as others of its age, and a sink that refuses a type may accept errors. Only if none is
 * untried, a failed one is the probe.
 */
export class QueueReader {
  readonly #queue: DispatchQueue;
  readonly #failed: FailedEnvelopes;
  readonly #context: ReaderContext;
  #isReading = false;
  /** Earliest time of the next read of a failed envelope, monotonic clock. */
  #nextFailedMs = -Infinity;

  constructor(queue: DispatchQueue, failed: FailedEnvelopes, context: ReaderContext) {
    this.#queue = queue;
    this.#failed = failed;
    this.#context = context;
  }

  /** Whether it reads, or an envelope waits that is due. */
  get hasWork(): boolean {
    const dueAtMs = this.#failed.next()?.dueAtMs ?? Infinity;
    return this.#isReading || this.#queue.isWaiting || dueAtMs <= this.#context.nowMs();
  }

  /** Starts the next read if there is something to read and room for it. */
  next(): void {
    if (this.#isReading) return;
    const queue = this.#queue;
    if (this.#context.isFlowing()) {
      const forgottenFromId = this.#failed.takeForgotten();
      if (forgottenFromId !== undefined) queue.rewind(forgottenFromId);
      if (queue.isBehind && queue.isLow) return this.#read(() => queue.readOldest());
    } else {
      if (queue.size > 0) return;
      if (queue.isBehind) return this.#read(() => queue.readNewest());
    }
    const failed = this.#failed.next();
    if (failed === undefined || !queue.isLow) return;
    const waitMs = Math.max(failed.dueAtMs, this.#nextFailedMs) - this.#context.nowMs();
    if (waitMs > 0) this.#context.onWait(waitMs);
    else this.#read(() => this.#readFailed(failed.id));
  }

  async #readFailed(id: number): Promise<void> {
    this.#failed.take(id);
    this.#nextFailedMs = this.#context.nowMs() + 1_000 / this.#context.maxRate;
    if (await this.#queue.readOne(id)) return;
    this.#failed.forget(id);
    this.#context.onGone(id);
  }

  #read(read: () => Promise<void>): void {
    const { isFlowing, onFailure, onEnd } = this.#context;
    const wasFlowing = isFlowing();
    this.#isReading = true;
    const ended = (): void => {
      this.#isReading = false;
      // The sink failed meanwhile: none of these is the probe.
      if (wasFlowing && !isFlowing()) this.#queue.spill();
      onEnd();
    };
    read().catch(onFailure).finally(ended);
  }
}
