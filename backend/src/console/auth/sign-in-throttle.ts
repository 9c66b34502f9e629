import { senderNetwork } from '../../net/client-address.ts';

/** Sign-in attempts one sender may make in a window; people need two or three, guessing needs millions. */
const MAX_ATTEMPTS = 10;
const WINDOW_MS = 60_000;
/** Senders remembered; the oldest is forgotten first, so that the memory stays small under a flood. */
const MAX_SENDERS = 10_000;

/** Limits how often one sender may try to sign in: who has a network of IPv6 has a new address for each guess. */
export class SignInThrottle {
  readonly #windows = new Map<string, { startedAtMs: number; count: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts an attempt; how long to wait when there were too many, else 0. */
  waitMs(address: string): number {
    const nowMs = this.#now();
    const sender = senderNetwork(address);
    const known = this.#windows.get(sender);
    const window =
      known !== undefined && nowMs - known.startedAtMs < WINDOW_MS ? known : { startedAtMs: nowMs, count: 0 };
    window.count += 1;
    this.#windows.delete(sender);
    this.#windows.set(sender, window);
    if (this.#windows.size > MAX_SENDERS) this.#forgetOldest();
    return window.count > MAX_ATTEMPTS ? window.startedAtMs + WINDOW_MS - nowMs : 0;
  }

  #forgetOldest(): void {
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined) this.#windows.delete(oldest);
  }
}
