import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** All counters and histograms. Their names are the contract of dashboards and alerts. */
export class Metrics {
  readonly registry = new Registry();

  readonly tunnelResponses = new Counter({
    name: 'errata_tunnel_answers_total',
    help: 'Responses of the tunnel by outcome',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly commitSeconds = new Histogram({
    name: 'errata_spool_commit_seconds',
    help: 'Time from an accepted envelope to its commit on disk',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers: [this.registry],
  });
  readonly spoolEvents = new Counter({
    name: 'errata_spool_faults_total',
    help: 'Faults of the spool: lost or corrupt envelopes, failed writes, crashes of its thread',
    labelNames: ['fault'],
    registers: [this.registry],
  });
  readonly storeFaults = new Counter({
    name: 'errata_store_faults_total',
    help: 'Faults of the store: its database, its thread',
    registers: [this.registry],
  });
  readonly webhookDeliveries = new Counter({
    name: 'errata_webhook_deliveries_total',
    help: 'Webhook deliveries by outcome: accepted, failed (sent again later), dropped after a day',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly deliveries = new Counter({
    name: 'errata_relay_deliveries_total',
    help: 'Deliveries by sink, outcome and reason',
    labelNames: ['sink', 'outcome', 'reason'],
    registers: [this.registry],
  });
  readonly errors = new Counter({
    name: 'errata_errors_total',
    help: 'Failures with a digest, of requests and of the process',
    labelNames: ['kind'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Adds a gauge whose values are read when a scraper requests the metrics. */
  gauge(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => Promise<readonly GaugeReading[]>,
  ): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: async () => {
        // A gauge that cannot be read is left out, so that the other metrics still reach the scraper.
        const readings = await read().catch(() => []);
        gauge.reset();
        for (const { labels, value } of readings) gauge.set(labels, value);
      },
    });
  }

  /** Shares one reading between gauges that are collected together: one scrape must not count the spool eight times. */
  once<T>(read: () => Promise<T>): () => Promise<T> {
    let reading: Promise<T> | undefined;
    return () => {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    };
  }
}

/** One value of a gauge. */
export interface GaugeReading {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
