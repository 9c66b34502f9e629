import type { Spool } from '../spool/spool.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { CircuitBreakerOptions } from './circuit-breaker.ts';
import type { EnvelopeFilter } from './dispatch-queue.ts';
import type { ReadBusy } from './busy-meter.ts';
import type { InFlightOptions } from './in-flight.ts';
import type { PacingOptions } from './pacing.ts';
import type { TimeSource } from '../time/time-source.ts';
import type { Sink } from '../sink/sink.ts';

/** A sink, the envelopes it gets and the limits of its deliveries. */
export interface DispatcherOptions
  extends EnvelopeFilter, CircuitBreakerOptions, PacingOptions, InFlightOptions {
  /** Name in logs and metrics. */
  readonly name: string;
  /** Host, port if any, and project of an upstream; null for the store. */
  readonly place: string | null;
  /** Start of the key of an upstream, which differs between two DSNs of one project; null for the store. */
  readonly key: string | null;
  readonly sink: Sink;
  /** Most envelopes per second from the backlog of an outage; Infinity for no limit. */
  readonly maxRate: number;
  /** Shortest outage whose backlog is sent at a limited rate, ms. */
  readonly outageAfterMs: number;
}

/** Parts that all dispatchers share. */
export interface DispatcherContext {
  readonly spool: Spool;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The real clock if absent. */
  readonly time?: TimeSource | undefined;
  /** How busy thread and process are; the real shares if absent. */
  readonly busy?: ReadBusy | undefined;
  /** For the jitter of pauses, 0 to 1; `Math.random` if absent. */
  readonly random?: () => number;
}
