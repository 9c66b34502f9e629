/** Timers by what they are for, at most one of each. */
export class Timers<Kind> {
  readonly #timers = new Map<Kind, NodeJS.Timeout>();

  has(kind: Kind): boolean {
    return this.#timers.has(kind);
  }

  /** Calls `due` after a while; a later wish of the same kind replaces an earlier one. */
  set(kind: Kind, waitMs: number, due: () => void): void {
    clearTimeout(this.#timers.get(kind));
    // One more than asked for: a timer may come a fraction of a millisecond early.
    const timer = setTimeout(
      () => {
        this.#timers.delete(kind);
        due();
      },
      Math.ceil(waitMs) + 1,
    );
    this.#timers.set(kind, timer);
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
