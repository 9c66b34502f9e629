import type { Counter } from 'prom-client';
import type { Metrics } from '../telemetry/metrics.ts';

/** Counts what became of one sink's deliveries; each counter is looked up once, as prom-client hashes the labels every time. */
export class DeliveryCounters {
  readonly #metrics: Metrics;
  readonly #sink: string;
  readonly #counters = new Map<string, Counter.Internal>();

  constructor(metrics: Metrics, sink: string) {
    this.#metrics = metrics;
    this.#sink = sink;
  }

  count(outcome: string, reason: string): void {
    const key = `${outcome} ${reason}`;
    const counter =
      this.#counters.get(key) ?? this.#metrics.deliveries.labels({ sink: this.#sink, outcome, reason });
    this.#counters.set(key, counter);
    counter.inc();
  }
}
