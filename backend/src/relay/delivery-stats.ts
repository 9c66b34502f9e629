import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import { type DeliveredEvent, DeliveredEvents } from './delivered-events.ts';
import type { DeliveryCounters } from './delivery-counters.ts';

/** Envelopes whose failures are remembered. Only those that were tried are: in an outage that is one now and then. */
const MAX_FAILED = 1_000;

/** How an envelope that waits has fared so far. */
export interface Failed {
  readonly tries: number;
  /** `timeout`, `status_503`, `rate_limited`, … */
  readonly reason: string;
}

/** What one lane's deliveries came to: counted for the metrics, remembered for people. Nothing depends on it. */
export class DeliveryStats {
  readonly #counters: DeliveryCounters;
  readonly #now: () => number;
  readonly #events: DeliveredEvents | null;
  readonly #failed = new Map<number, Failed>();
  #lastDeliveredMs: number | null = null;
  #lastFailure: string | null = null;

  /** @param now wall clock. */
  constructor(counters: DeliveryCounters, bit: number, now: () => number = Date.now) {
    this.#counters = counters;
    this.#now = now;
    // What the store took can be asked of the store.
    this.#events = bit === UPSTREAM_BIT ? new DeliveredEvents() : null;
  }

  get lastDeliveredMs(): number | null {
    return this.#lastDeliveredMs;
  }

  /** Reason of the last failure there was. */
  get lastFailure(): string | null {
    return this.#lastFailure;
  }

  delivered({ id, class: rank, eventId }: QueuedEnvelope): void {
    const atMs = this.#now();
    const tries = (this.#failed.get(id)?.tries ?? 0) + 1;
    this.#failed.delete(id);
    this.#lastDeliveredMs = atMs;
    if (rank === 0 && eventId !== null) this.#events?.add(eventId, { atMs, tries });
    this.#counters.count('delivered', '');
  }

  refused(id: number, reason: string): void {
    this.#failed.delete(id);
    this.#counters.count('refused', reason);
  }

  dropped(id: number): void {
    this.#failed.delete(id);
    this.#counters.count('dropped', 'ratelimit_backoff');
  }

  /** @param wasSent whether that was a try: the limit may have been known before. */
  held(id: number, wasSent: boolean): void {
    this.#fail(id, 'rate_limited', wasSent ? 1 : 0);
    this.#counters.count('held', 'ratelimit');
  }

  retried(id: number, reason: string): void {
    this.#lastFailure = reason;
    this.#fail(id, reason, 1);
    this.#counters.count('retry', reason);
  }

  /** When an event was delivered, of the newest ones since the process began. */
  deliveryOf(eventId: string): DeliveredEvent | null {
    return this.#events?.find(eventId) ?? null;
  }

  /** How an envelope has fared that was tried and waits. */
  failureOf(id: number): Failed | null {
    return this.#failed.get(id) ?? null;
  }

  #fail(id: number, reason: string, tries: number): void {
    const before = this.#failed.get(id)?.tries ?? 0;
    this.#failed.delete(id);
    this.#failed.set(id, { tries: before + tries, reason });
    if (this.#failed.size <= MAX_FAILED) return;
    const [oldest] = this.#failed.keys();
    if (oldest !== undefined) this.#failed.delete(oldest);
  }
}
