import type { StartTimer } from '../time/time-source.ts';

/** Keeps at most one timer of each kind. */
export class Timers<Kind> {
  readonly #cancels = new Map<Kind, () => void>();
  readonly #start: StartTimer;

  constructor(start: StartTimer) {
    this.#start = start;
  }

  has(kind: Kind): boolean {
    return this.#cancels.has(kind);
  }

  /** Calls `onDue` after `delayMs`. Replaces the timer of the same kind. */
  set(kind: Kind, delayMs: number, onDue: () => void): void {
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
