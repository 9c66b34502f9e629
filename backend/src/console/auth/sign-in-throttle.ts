import { senderNetwork } from '../../net/client-address.ts';
import { RecentMap } from '../../time/recent-map.ts';

/** Failed sign-ins of one sender in a window: a person mistypes two or three, guessing needs millions. */
const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
/** Senders in memory; the oldest is removed first, so that the memory stays small under a flood. */
const MAX_SENDERS = 10_000;

interface FailureWindow {
  readonly startedAtMs: number;
  count: number;
}

/**
 * Limits the failed sign-ins of one sender, against guessing tokens. An IPv6 network counts as one sender, because its
 * owner has a new address for each guess. Successes do not count: an office behind one address signs in at nine o'clock.
 *
 * Attempts in progress do not count either. ConsoleTokens checks only some guesses at once, so that few more fit in.
 */
export class SignInThrottle {
  readonly #windows = new RecentMap<string, FailureWindow>(MAX_SENDERS);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Returns how long the sender must wait after too many failures, otherwise 0. */
  waitMs(address: string): number {
    const window = this.#windowOf(senderNetwork(address));
    return window !== undefined && window.count >= MAX_FAILURES
      ? window.startedAtMs + WINDOW_MS - this.#now()
      : 0;
  }

  /** Counts a failed sign-in. A success must not reset the count: a holder of one token could guess another. */
  failed(address: string): void {
    const sender = senderNetwork(address);
    const window = this.#windowOf(sender) ?? { startedAtMs: this.#now(), count: 0 };
    window.count += 1;
    this.#windows.set(sender, window);
  }

  #windowOf(sender: string): FailureWindow | undefined {
    const known = this.#windows.get(sender);
    return known !== undefined && this.#now() - known.startedAtMs < WINDOW_MS ? known : undefined;
  }
}
