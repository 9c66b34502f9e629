import type { StartTimer, TimeSource } from './time-source.ts';

interface Timer {
  readonly dueMs: number;
  readonly onDue: () => void;
}

/** A clock that moves only when a test moves it, from timer to timer. Begins at 0. */
export class ManualTime implements TimeSource {
  readonly #timers = new Set<Timer>();
  #nowMs = 0;
  /** Calls that wait for a turn of the event loop. */
  #turns = 0;
  #onStart: () => void = () => {};

  readonly nowMs = (): number => this.#nowMs;
  readonly wallMs = (): number => this.#nowMs;

  readonly nextTurn = (onTurn: () => void): void => {
    this.#turns += 1;
    setImmediate(() => {
      this.#turns -= 1;
      onTurn();
    });
  };

  readonly startTimer: StartTimer = (delayMs, onDue) => {
    const timer = { dueMs: this.#nowMs + delayMs, onDue };
    this.#timers.add(timer);
    this.#onStart();
    return () => void this.#timers.delete(timer);
  };

  /** Waits until there is a timer, moves the clock to the first one and calls it. Returns the time. */
  async toNextTimer(): Promise<number> {
    // All promises and turns that are due come first: they may replace a timer.
    await this.#settled();
    while (this.#timers.size === 0) await new Promise<void>((resolve) => void (this.#onStart = resolve));
    this.#moveToFirst();
    return this.#nowMs;
  }

  /** Moves the clock from timer to timer until a condition holds; other threads go on meanwhile. */
  async moveUntil(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await this.#settled();
      if (!condition()) this.#moveToFirst();
    }
  }

  async #settled(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#turns > 0);
  }

  #moveToFirst(): void {
    const [first] = [...this.#timers].toSorted((a, b) => a.dueMs - b.dueMs);
    if (first === undefined) return;
    this.#timers.delete(first);
    this.#nowMs = Math.max(this.#nowMs, first.dueMs);
    first.onDue();
  }
}
