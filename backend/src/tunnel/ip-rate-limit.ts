import type { EventCount } from '../envelope/envelope-class.ts';
import { senderNetwork, senderSite } from '../net/client-address.ts';
import { RecentMap } from '../time/recent-map.ts';

/** `pass`: any envelope is accepted; `over`: only errors and feedback; `flood`: nothing. */
export type RateDecision = 'pass' | 'over' | 'flood';

export interface RateSettings {
  readonly perMinute: number;
  readonly burst: number;
}

/** Errors, and apart from them browser reports, may come at ten times the rate: an office behind one address loses none. */
const ERROR_FACTOR = 10;
/**
 * All networks of an IPv6 /48 together may send at four times the rate of one, with the burst of one: providers give a whole
 * /48 to one customer, who would otherwise have 65,536 buckets.
 */
const SITE_FACTOR = 4;
/** Networks in memory, about 10 MB. The least recently used one is evicted first. */
const MAX_NETWORKS = 50_000;

/** What each request takes before it is read: SDKs send one event in an envelope. */
const ONE_EVENT: EventCount = { events: 1, reports: 0 };

interface Bucket {
  /** Time at which the bucket is full again, ms: for all envelopes, and for errors and browser reports at their higher rate. */
  allUntilMs: number;
  errorsUntilMs: number;
  reportsUntilMs: number;
}

/** A bucket that fills at this factor of the rate. */
interface Limit {
  readonly bucket: Bucket;
  readonly factor: number;
}

/**
 * Limits the rate of each client network with a token bucket, so that one address cannot crowd out the others
 * (protocol H20).
 *
 * Each bucket is stored as the time at which it is full again (GCRA), which needs no timer to refill it.
 */
export class IpRateLimit {
  readonly #intervalMs: number;
  readonly #toleranceMs: number;
  readonly #nowMs: () => number;
  readonly #buckets = new RecentMap<string, Bucket>(MAX_NETWORKS);

  constructor({ perMinute, burst }: RateSettings, nowMs: () => number = () => performance.now()) {
    this.#intervalMs = 60_000 / perMinute;
    this.#toleranceMs = burst * this.#intervalMs;
    this.#nowMs = nowMs;
  }

  /** Seconds in which an empty bucket fills up. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.#toleranceMs / 1_000));
  }

  /** Networks in memory. */
  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Takes a token for each event from the buckets of the address's network and of its /48, and returns the decision. Browsers
   * send up to a hundred reports at once, so reports have a bucket of their own and take no token of an event. When it is
   * empty, an error does not save the reports beside it: browsers send them again.
   */
  consume(address: string, { events, reports } = ONE_EVENT): RateDecision {
    const nowMs = this.#nowMs();
    const site = senderSite(address);
    const limits: readonly Limit[] = [
      { bucket: this.#bucketOf(senderNetwork(address), nowMs), factor: 1 },
      ...(site === null ? [] : [{ bucket: this.#bucketOf(site, nowMs), factor: SITE_FACTOR }]),
    ];
    if (!this.#take('errorsUntilMs', events / ERROR_FACTOR, limits, nowMs)) return 'flood';
    if (!this.#take('reportsUntilMs', reports / ERROR_FACTOR, limits, nowMs)) return 'flood';
    return this.#take('allUntilMs', events, limits, nowMs) ? 'pass' : 'over';
  }

  /** Takes tokens of each bucket, or of none if one has too few. */
  #take(kind: keyof Bucket, tokens: number, limits: readonly Limit[], nowMs: number): boolean {
    const taken = limits.map(({ bucket, factor }) => ({
      bucket,
      untilMs: Math.max(bucket[kind], nowMs) + (tokens * this.#intervalMs) / factor,
      latestMs: nowMs + this.#toleranceMs / factor,
    }));
    if (taken.some(({ untilMs, latestMs }) => untilMs > latestMs)) return false;
    for (const { bucket, untilMs } of taken) bucket[kind] = untilMs;
    return true;
  }

  /** Returns the bucket of a network and makes it the most recent. */
  #bucketOf(network: string, nowMs: number): Bucket {
    const bucket = this.#buckets.get(network) ?? {
      allUntilMs: nowMs,
      errorsUntilMs: nowMs,
      reportsUntilMs: nowMs,
    };
    this.#buckets.set(network, bucket);
    return bucket;
  }
}
