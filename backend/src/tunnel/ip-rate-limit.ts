import { senderNetwork } from '../net/client-address.ts';

/** `pass`; `over`: only errors and feedback may still come; `flood`: nothing may. */
export type Gate = 'pass' | 'over' | 'flood';

export interface IpRateLimits {
  readonly perMinute: number;
  readonly burst: number;
}

/** Errors are so much more welcome than the rest: an office behind one address must not lose any. */
const ERROR_FACTOR = 10;
/** Networks remembered, about 10 MB; the one that was quiet for longest is forgotten first. */
const MAX_NETWORKS = 50_000;

interface Debt {
  /** When all it sent would have been sent at the allowed pace, ms; and the same at the pace of errors. */
  allUntilMs: number;
  errorsUntilMs: number;
}

/**
 * A token bucket for each sender's network, so that one address cannot crowd the others out (protocol H20).
 *
 * Kept as the time at which a bucket is full again (GCRA), which needs no timer to fill it.
 */
export class IpRateLimit {
  readonly #intervalMs: number;
  readonly #toleranceMs: number;
  readonly #nowMs: () => number;
  readonly #debts = new Map<string, Debt>();

  constructor({ perMinute, burst }: IpRateLimits, nowMs: () => number = () => performance.now()) {
    this.#intervalMs = 60_000 / perMinute;
    this.#toleranceMs = burst * this.#intervalMs;
    this.#nowMs = nowMs;
  }

  /** Seconds after which a bucket that is empty is full again. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.#toleranceMs / 1_000));
  }

  /** Networks remembered now. */
  get size(): number {
    return this.#debts.size;
  }

  /** Counts one envelope of this address and says what may become of it. */
  take(address: string): Gate {
    const network = senderNetwork(address);
    const nowMs = this.#nowMs();
    const debt = this.#remembered(network, nowMs);
    const errorsUntilMs = Math.max(debt.errorsUntilMs, nowMs) + this.#intervalMs / ERROR_FACTOR;
    if (errorsUntilMs - nowMs > this.#toleranceMs) return 'flood';
    debt.errorsUntilMs = errorsUntilMs;
    const allUntilMs = Math.max(debt.allUntilMs, nowMs) + this.#intervalMs;
    if (allUntilMs - nowMs > this.#toleranceMs) return 'over';
    debt.allUntilMs = allUntilMs;
    return 'pass';
  }

  /** Moves the network to the young end of the map, whose order is that of insertion. */
  #remembered(network: string, nowMs: number): Debt {
    const debt = this.#debts.get(network) ?? { allUntilMs: nowMs, errorsUntilMs: nowMs };
    this.#debts.delete(network);
    this.#debts.set(network, debt);
    if (this.#debts.size > MAX_NETWORKS) {
      const [oldest] = this.#debts.keys();
      if (oldest !== undefined) this.#debts.delete(oldest);
    }
    return debt;
  }
}
