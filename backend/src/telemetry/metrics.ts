import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';

/**
 * Interval of the samples of the event loop's utilization. The client's default of 100 ms takes 6 ms of processor time a
 * second in an idle process; and after a day for which the process was frozen, the missed samples block it for 2.4 s.
 */
const UTILIZATION_MS = 1_000;

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
    help: 'Time from the append of an envelope to its commit on disk',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers: [this.registry],
  });
  readonly reportWaitSeconds = new Histogram({
    name: 'errata_report_wait_seconds',
    help: 'Time that the page of a failure waits for its report to be on disk',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
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
  readonly alerts = new Counter({
    name: 'errata_alerts_total',
    help: 'Alerts by target and outcome: accepted, failed (sent again later), dropped after a day',
    labelNames: ['target', 'outcome'],
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
    help: 'Failures with a digest: of requests, of calls, reported by the application, of the process',
    labelNames: ['kind'],
    registers: [this.registry],
  });
  readonly gatewayPages = new Counter({
    name: 'errata_gateway_pages_total',
    help: 'Pages for gateways by outcome: recorded as an event, above the limits, with a digest of the server, not on disk in time, of a 4xx, without a status, for a peer that is not trusted',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly clientFiles = new Counter({
    name: 'errata_client_files_total',
    help: 'Requests for files that the served client lacks, by source: of another build from the store, or missing',
    labelNames: ['source'],
    registers: [this.registry],
  });
  readonly signIns = new Counter({
    name: 'errata_sign_in_total',
    help: 'Sign-ins to the console by outcome, with the refused tokens of API clients',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly droppedLogLines = new Counter({
    name: 'errata_log_lines_dropped_total',
    help: 'Log lines that were not written because standard output is not read, or closed',
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry, eventLoopUtilizationTimeout: UTILIZATION_MS });
  }

  /** Adds a gauge whose values are read when a scraper requests the metrics. */
  gauge(
    { name, help, labels: labelNames, known = [] }: GaugeOptions,
    read: () => Promise<readonly GaugeReading[]>,
  ): void {
    const gauge: Gauge<string> = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: async () => {
        // A gauge that cannot be read is left out, so that the other metrics still reach the scraper.
        const readings = await read().catch(() => null);
        gauge.reset();
        if (readings === null) {
          // Without labels the reset has made it 0.
          if (labelNames.length === 0) gauge.remove();
          return;
        }
        for (const labels of known) gauge.set(labels, 0);
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

type Labels = Readonly<Record<string, string>>;

export interface GaugeOptions {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Labels whose value is 0 while no reading has them; see {@link startSeries}. */
  readonly known?: readonly Labels[];
}

/** One value of a gauge. */
export interface GaugeReading {
  readonly labels: Labels;
  readonly value: number;
}

/**
 * Returns the series of some label values, in the order of the counter's labels. It starts at 0: Prometheus sees no
 * increase in a series that begins with its first event, so an alert on that event would not fire.
 */
export function startSeries<Label extends string>(
  counter: Counter<Label>,
  ...values: readonly string[]
): Counter.Internal {
  const series = counter.labels(...values);
  series.inc(0);
  return series;
}

/** Counts by the value of a label. */
export type CountBy<Value> = (value: Value, count?: number) => void;

/** Returns a function that counts by the only label of a counter. The series of all its values start at 0. */
export function countBy<Label extends string, Value extends string>(
  counter: Counter<Label>,
  values: readonly Value[],
): CountBy<Value> {
  const series = new Map(values.map((value) => [value, startSeries(counter, value)]));
  return (value, count = 1) => series.get(value)?.inc(count);
}
