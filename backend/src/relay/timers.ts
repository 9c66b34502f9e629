import type { StartTimer } from '../time/time-source.ts';

/**
 * Reasons for a timer of a dispatcher: pause after a failure of the sink, next try of a failed envelope, rate of the backlog,
 * rate limit, size of the next batch.
 */
export type DispatchTimer = 'pause' | 'failed' | 'ramp_up' | 'rate_limit' | 'batch';

/** Keeps at most one timer of each kind. */
export class Timers {
  readonly #cancels = new Map<DispatchTimer, () => void>();
  readonly #start: StartTimer;

  constructor(start: StartTimer) {
    this.#start = start;
  }

  has(kind: DispatchTimer): boolean {
    return this.#cancels.has(kind);
  }

  /** Calls `onDue` after `delayMs`. Replaces the timer of the same kind. */
  set(kind: DispatchTimer, delayMs: number, onDue: () => void): void {
    this.#cancels.get(kind)?.();
    // One millisecond more: Node may fire a timer a fraction of a millisecond early.
    const cancel = this.#start(Math.ceil(delayMs) + 1, () => {
      this.#cancels.delete(kind);
      onDue();
    });
    this.#cancels.set(kind, cancel);
  }

  clear(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}
