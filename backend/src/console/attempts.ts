/** Sign-in attempts one address may make in a window; people need two or three, guessing needs millions. */
const MAX_ATTEMPTS = 10;
const WINDOW_MS = 60_000;
/** Addresses remembered; the oldest is forgotten first, so that the memory stays small under a flood. */
const MAX_ADDRESSES = 10_000;

/** Limits how often one address may try to sign in. */
export class Attempts {
  readonly #windows = new Map<string, { startedAtMs: number; count: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts an attempt; how long to wait when there were too many, else 0. */
  waitMs(address: string): number {
    const nowMs = this.#now();
    const known = this.#windows.get(address);
    const window =
      known !== undefined && nowMs - known.startedAtMs < WINDOW_MS ? known : { startedAtMs: nowMs, count: 0 };
    window.count += 1;
    this.#windows.delete(address);
    this.#windows.set(address, window);
    if (this.#windows.size > MAX_ADDRESSES) this.#forgetOldest();
    return window.count > MAX_ATTEMPTS ? window.startedAtMs + WINDOW_MS - nowMs : 0;
  }

  #forgetOldest(): void {
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined) this.#windows.delete(oldest);
  }
}
