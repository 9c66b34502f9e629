import type { Spool } from '../spool/spool.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { CircuitBreakerOptions } from './circuit-breaker.ts';
import type { LaneShare } from './dispatch-queue.ts';
import type { PacingOptions } from './pacing.ts';
import type { Sink } from '../sink/sink.ts';

/** One sink and its place in the spool. */
export interface DispatcherOptions extends LaneShare, CircuitBreakerOptions, PacingOptions {
  /** Name in log and metrics. */
  readonly name: string;
  readonly sink: Sink;
  /** Batches under way at once. */
  readonly concurrency: number;
  /** Deliveries under way, or whose settlement is not on the disk yet: a kill makes that many come twice. */
  readonly maxUnsettled: number;
  /** Envelopes a second of what an outage left behind; Infinity: as fast as it goes. */
  readonly maxRate: number;
  /** A sink that was down shorter has no backlog worth pacing, ms. */
  readonly outageAfterMs: number;
}

/** What all lanes share. */
export interface DispatcherContext {
  readonly spool: Spool;
  readonly log: Log;
  readonly metrics: Metrics;
}
