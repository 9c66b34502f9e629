/** Keeps at most one timer of each kind. */
export class Timers<Kind> {
  readonly #timers = new Map<Kind, NodeJS.Timeout>();

  has(kind: Kind): boolean {
    return this.#timers.has(kind);
  }

  /** Calls `onDue` after `delayMs`. Replaces the timer of the same kind. */
  set(kind: Kind, delayMs: number, onDue: () => void): void {
    clearTimeout(this.#timers.get(kind));
    // One millisecond more: Node may fire a timer a fraction of a millisecond early.
    const timer = setTimeout(
      () => {
        this.#timers.delete(kind);
        onDue();
      },
      Math.ceil(delayMs) + 1,
    );
    this.#timers.set(kind, timer);
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
