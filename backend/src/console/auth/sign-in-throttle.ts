import { customerNetwork, senderNetwork, senderNetworks, senderSite } from '../../net/client-address.ts';
import { HOUR_MS } from '../../time/iso.ts';
import { RecentMap } from '../../time/recent-map.ts';

/** Failed sign-ins of one sender in a window: a person mistypes two or three, guessing needs millions. */
const MAX_FAILURES = 10;
/** Failures of all networks of an IPv6 /48, which one customer of a provider has: as in the tunnel, four times those of one. */
const MAX_SITE_FAILURES = 4 * MAX_FAILURES;
/** Failures of all senders: more than the people of any console mistype, and 3 s of CPU a minute for the hashes. */
const MAX_ALL_FAILURES = 60;
/**
 * Failures beyond them that a network has in an hour: a person who mistypes once during an attack has another attempt. First
 * and second ones are limited apart, each as those of all, so that an attacker needs 60 new networks a minute to take either.
 */
const MAX_RESERVED_FAILURES = 2;
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
 * it was right before never wait for other senders. For a token from any other network a share is reserved, of which only its
 * failures during the attack take something.
 *
 * Attempts in progress do not count either. ConsoleTokens checks only some guesses at once, so that few more fit in.
 */
export class SignInThrottle {
  readonly #failures: Failures;
  /** Failures of a customer's network beyond those of all senders. */
  readonly #reserved: Failures;

  /** @param now monotonic clock, ms: a clock that is set back would prolong a limit. */
  constructor(now: () => number = () => performance.now()) {
    this.#failures = new Failures(WINDOW_MS, now);
    this.#reserved = new Failures(HOUR_MS, now);
  }

  /** Returns how long the sender must wait after too many failures of its own, otherwise 0. */
  waitMs(address: string): number {
    const site = senderSite(address);
    const siteMs = site === null ? 0 : this.#failures.waitMs(site, MAX_SITE_FAILURES);
    return Math.max(siteMs, this.#failures.waitMs(senderNetwork(address), MAX_FAILURES));
  }

  /** Returns how long a token must wait that this sender may be guessing: also after the failures of all others. */
  guessWaitMs(address: string): number {
    const allMs = this.#failures.waitMs(ALL, MAX_ALL_FAILURES);
    const used = this.#reserved.count(customerNetwork(address));
    const reservedMs =
      used < MAX_RESERVED_FAILURES ? this.#failures.waitMs(reserveAfter(used), MAX_ALL_FAILURES) : Infinity;
    return Math.max(this.waitMs(address), Math.min(allMs, reservedMs));
  }

  /** Counts a failed sign-in. A success must not reset the count: a holder of one token could guess another. */
  failed(address: string): void {
    for (const sender of senderNetworks(address)) this.#failures.add(sender);
    if (this.#failures.waitMs(ALL, MAX_ALL_FAILURES) === 0) {
      this.#failures.add(ALL);
      return;
    }
    const network = customerNetwork(address);
    this.#failures.add(reserveAfter(this.#reserved.count(network)));
    this.#reserved.add(network);
  }
}

/** Returns the key of all reserved failures of networks that had so many of them before. */
function reserveAfter(used: number): string {
  return `reserve ${used}`;
}

/** Failures by key, each counted from the first one until a time has passed. */
class Failures {
  readonly #windows = new RecentMap<string, FailureWindow>(MAX_SENDERS);
  readonly #windowMs: number;
  readonly #now: () => number;

  constructor(windowMs: number, now: () => number) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  count(key: string): number {
    return this.#windowOf(key)?.count ?? 0;
  }

  add(key: string): void {
    const window = this.#windowOf(key) ?? { startedAtMs: this.#now(), count: 0 };
    window.count += 1;
    this.#windows.set(key, window);
  }

  /** Returns how long the window of a key with so many failures lasts, otherwise 0. */
  waitMs(key: string, maxFailures: number): number {
    const window = this.#windowOf(key);
    return window !== undefined && window.count >= maxFailures
      ? window.startedAtMs + this.#windowMs - this.#now()
      : 0;
  }

  #windowOf(key: string): FailureWindow | undefined {
    const known = this.#windows.get(key);
    return known !== undefined && this.#now() - known.startedAtMs < this.#windowMs ? known : undefined;
  }
}
