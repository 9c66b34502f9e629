import { senderNetwork, senderNetworks, senderSite } from '../../net/client-address.ts';
import { HOUR_MS } from '../../time/iso.ts';
import { RecentMap } from '../../time/recent-map.ts';

/** Failed sign-ins of one sender in a window: a person mistypes two or three, guessing needs millions. */
const MAX_FAILURES = 10;
/** Failures of all networks of an IPv6 /48, which one customer of a provider has: as in the tunnel, four times those of one. */
const MAX_SITE_FAILURES = 4 * MAX_FAILURES;
/** Failures of all senders: more than the people of any console mistype, and 3 s of CPU a minute for the hashes. */
const MAX_ALL_FAILURES = 60;
/** Failures beyond them, of senders without one in the last hour: an attacker needs 3,600 new networks an hour to take them. */
const MAX_RESERVED_FAILURES = 60;
const RESERVED_AFTER_MS = HOUR_MS;
const WINDOW_MS = 60_000;
/** Senders in memory; the oldest is removed first, so that the memory stays small under a flood. */
const MAX_SENDERS = 10_000;
/** Key of the failures of all senders; no network has this name. */
const ALL = 'all';

interface FailureWindow {
  readonly startedAtMs: number;
  count: number;
}

/**
 * Limits the failed sign-ins of one sender, against guessing tokens. An IPv6 network counts as one sender, because its
 * owner has a new address for each guess, and so does its /48. Successes do not count: an office behind one address signs
 * in at nine o'clock.
 *
 * The failures of all senders together limit only guesses of tokens ({@link guessWaitMs}), and an attack from many networks
 * uses them up. It must not lock the operator out: sessions, printed links, OpenID Connect, and a token from a network where
 * it was right before never wait for other senders. For a token from a new network a share is reserved.
 *
 * Attempts in progress do not count either. ConsoleTokens checks only some guesses at once, so that few more fit in.
 */
export class SignInThrottle {
  readonly #windows = new RecentMap<string, FailureWindow>(MAX_SENDERS);
  readonly #now: () => number;

  /** @param now monotonic clock, ms: a clock that is set back would prolong a limit. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns how long the sender must wait after too many failures of its own, otherwise 0. */
  waitMs(address: string): number {
    const site = senderSite(address);
    const siteMs = site === null ? 0 : this.#waitMs(site, MAX_SITE_FAILURES);
    return Math.max(siteMs, this.#waitMs(senderNetwork(address), MAX_FAILURES));
  }

  /** Returns how long a token must wait that this sender may be guessing: also after the failures of all others. */
  guessWaitMs(address: string): number {
    const max = MAX_ALL_FAILURES + (this.#hasFailed(address) ? 0 : MAX_RESERVED_FAILURES);
    return Math.max(this.waitMs(address), this.#waitMs(ALL, max));
  }

  /** Counts a failed sign-in. A success must not reset the count: a holder of one token could guess another. */
  failed(address: string): void {
    for (const sender of [...senderNetworks(address), ALL]) {
      const window = this.#windowOf(sender, WINDOW_MS) ?? { startedAtMs: this.#now(), count: 0 };
      window.count += 1;
      this.#windows.set(sender, window);
    }
  }

  #hasFailed(address: string): boolean {
    return senderNetworks(address).some((sender) => this.#windowOf(sender, RESERVED_AFTER_MS) !== undefined);
  }

  #waitMs(sender: string, maxFailures: number): number {
    const window = this.#windowOf(sender, WINDOW_MS);
    return window !== undefined && window.count >= maxFailures
      ? window.startedAtMs + WINDOW_MS - this.#now()
      : 0;
  }

  /** Returns the last window of a sender, if it started less than this time ago. */
  #windowOf(sender: string, maxAgeMs: number): FailureWindow | undefined {
    const known = this.#windows.get(sender);
    return known !== undefined && this.#now() - known.startedAtMs < maxAgeMs ? known : undefined;
  }
}
