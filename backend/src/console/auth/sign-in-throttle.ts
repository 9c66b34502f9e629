import { senderNetwork } from '../../net/client-address.ts';

/** Sign-in attempts of one sender in a window: a person needs two or three, guessing needs millions. */
const MAX_ATTEMPTS = 10;
const WINDOW_MS = 60_000;
/** Senders in memory; the oldest is removed first, so that the memory stays small under a flood. */
const MAX_SENDERS = 10_000;

/**
 * Limits the sign-in attempts of one sender, against guessing tokens. An IPv6 network counts as one sender, because its
 * owner has a new address for each guess.
 */
export class SignInThrottle {
  readonly #windows = new Map<string, { startedAtMs: number; count: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts an attempt. Returns how long the sender must wait after too many, otherwise 0. */
  waitMs(address: string): number {
    const nowMs = this.#now();
    const sender = senderNetwork(address);
    const known = this.#windows.get(sender);
    const window =
      known !== undefined && nowMs - known.startedAtMs < WINDOW_MS ? known : { startedAtMs: nowMs, count: 0 };
    window.count += 1;
    this.#windows.delete(sender);
    this.#windows.set(sender, window);
    if (this.#windows.size > MAX_SENDERS) this.#removeOldest();
    return window.count > MAX_ATTEMPTS ? window.startedAtMs + WINDOW_MS - nowMs : 0;
  }

  #removeOldest(): void {
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined) this.#windows.delete(oldest);
  }
}
