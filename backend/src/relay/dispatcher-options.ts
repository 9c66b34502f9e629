import type { Spool } from '../spool/spool.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { CircuitBreakerOptions } from './circuit-breaker.ts';
import type { EnvelopeFilter } from './dispatch-queue.ts';
import type { BatchOptions } from './batch-source.ts';
import type { FlowControl } from './flow-control.ts';
import type { InFlightOptions } from './in-flight.ts';
import type { TimeSource } from '../time/time-source.ts';
import type { Sink } from '../sink/sink.ts';

/** A sink, the envelopes it gets and the limits of its deliveries. */
export interface DispatcherOptions
  extends EnvelopeFilter, CircuitBreakerOptions, BatchOptions, InFlightOptions {
  /** Name in logs and metrics. */
  readonly name: string;
  /** Host, port if any, and project of an upstream; null for the store. */
  readonly place: string | null;
  /** Start of the key of an upstream, which differs between two DSNs of one project; null for the store. */
  readonly key: string | null;
  readonly sink: Sink;
}

/** Parts of the process that the relay uses. */
export interface RelayContext {
  readonly spool: Spool;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The real clock if absent. */
  readonly time?: TimeSource | undefined;
  /** For the jitter of pauses, 0 to 1; `Math.random` if absent. */
  readonly random?: () => number;
}

/** Parts that all dispatchers share. */
export interface DispatcherContext extends RelayContext {
  readonly flow: FlowControl;
}
