import type { Counter } from '@prometheus-io/client';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import { type Metrics, startSeries } from '../telemetry/metrics.ts';
import { RecentMap } from '../time/recent-map.ts';
import { type DeliveredEvent, DeliveredEvents } from './delivered-events.ts';

/** Most envelopes with recorded failures. Only tried ones are recorded; in an outage these are few probes. */
const MAX_FAILED = 1_000;

/** Failed tries of a waiting envelope. */
export interface FailedDelivery {
  readonly tries: number;
  /** `timeout`, `status_503`, `rate_limited`, … */
  readonly reason: string;
}

/** Counts the deliveries of one sink for metrics and remembers them for the console. No delivery depends on it. */
export class DeliveryStats {
  readonly #metrics: Metrics;
  readonly #sink: string;
  readonly #now: () => number;
  readonly #events: DeliveredEvents | null;
  readonly #failed = new RecentMap<number, FailedDelivery>(MAX_FAILED);
  readonly #delivered: Counter.Internal;
  readonly #dropped: Counter.Internal;
  readonly #held: Counter.Internal;
  /** Series by outcome and reason, for the reasons of the sink's answers: they are not known at the start. */
  readonly #answers = new Map<string, Counter.Internal>();
  #lastDeliveredMs: number | null = null;

  /** @param now wall clock. */
  constructor(
    metrics: Metrics,
    { name, bit }: { readonly name: string; readonly bit: number },
    now: () => number = Date.now,
  ) {
    this.#metrics = metrics;
    this.#sink = name;
    this.#delivered = startSeries(metrics.deliveries, name, 'delivered', '');
    this.#dropped = startSeries(metrics.deliveries, name, 'dropped', 'ratelimit_backoff');
    this.#held = startSeries(metrics.deliveries, name, 'held', 'ratelimit');
    this.#now = now;
    // The store itself knows its events.
    this.#events = bit === UPSTREAM_BIT ? new DeliveredEvents() : null;
  }

  get lastDeliveredMs(): number | null {
    return this.#lastDeliveredMs;
  }

  delivered({ id, class: envelopeClass, eventId }: QueuedEnvelope): void {
    const atMs = this.#now();
    const tries = (this.#failed.get(id)?.tries ?? 0) + 1;
    this.#failed.delete(id);
    this.#lastDeliveredMs = atMs;
    if (envelopeClass === 0 && eventId !== null) this.#events?.add(eventId, { atMs, tries });
    this.#delivered.inc();
  }

  refused(id: number, reason: string): void {
    this.#failed.delete(id);
    this.#count('refused', reason);
  }

  dropped(id: number): void {
    this.#failed.delete(id);
    this.#dropped.inc();
  }

  /** @param wasSent whether it counts as a try; false if the limit was known before. */
  held(id: number, wasSent: boolean): void {
    this.#addFailure(id, 'rate_limited', wasSent ? 1 : 0);
    this.#held.inc();
  }

  retried(id: number, reason: string): void {
    this.#addFailure(id, reason, 1);
    this.#count('retry', reason);
  }

  /** Returns the delivery of an event, if it is one of the newest since the process started. */
  deliveryOf(eventId: string): DeliveredEvent | null {
    return this.#events?.find(eventId) ?? null;
  }

  /** Returns the failed tries of a waiting envelope. */
  failureOf(id: number): FailedDelivery | null {
    return this.#failed.get(id) ?? null;
  }

  #addFailure(id: number, reason: string, tries: number): void {
    const before = this.#failed.get(id)?.tries ?? 0;
    this.#failed.set(id, { tries: before + tries, reason });
  }

  #count(outcome: 'refused' | 'retry', reason: string): void {
    const key = `${outcome} ${reason}`;
    const series =
      this.#answers.get(key) ?? startSeries(this.#metrics.deliveries, this.#sink, outcome, reason);
    this.#answers.set(key, series);
    series.inc();
  }
}
