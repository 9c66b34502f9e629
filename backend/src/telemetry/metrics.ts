import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Every metric there is; names are the contract of dashboards and alerts. */
export class Metrics {
  readonly registry = new Registry();

  readonly tunnelAnswers = new Counter({
    name: 'errata_tunnel_answers_total',
    help: 'Envelopes the tunnel answered, by outcome',
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
    help: 'Damage the spool met: lost or corrupt envelopes, deaths of its thread',
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
    help: 'Webhook deliveries: accepted, failed (and retried), dropped after a day',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly deliveries = new Counter({
    name: 'errata_relay_deliveries_total',
    help: 'Settlements of the sinks, by sink and outcome',
    labelNames: ['sink', 'outcome', 'reason'],
    registers: [this.registry],
  });
  readonly errors = new Counter({
    name: 'errata_errors_total',
    help: 'Failures answered with a digest, and failures of the process',
    labelNames: ['kind'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** A gauge whose values are read when somebody asks for the metrics. */
  gauge(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => Promise<readonly Reading[]>,
  ): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: async () => {
        // What cannot be read now is left out: half a page of metrics is worth more than none.
        const readings = await read().catch(() => []);
        gauge.reset();
        for (const { labels, value } of readings) gauge.set(labels, value);
      },
    });
  }

  /** Shares one reading between the gauges that are read together: a scrape must not count the spool eight times. */
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
export interface Reading {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
