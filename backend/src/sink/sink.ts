import type { Discard } from '../outcome/outcome.ts';
import type { QueuedEnvelope } from './queued-envelope.ts';

/**
 * The cause of a failed delivery: the connection (nothing of the envelope was sent), the sink, possibly the envelope, or
 * possibly the DSN.
 */
export type FailureScope = 'connection' | 'sink' | 'envelope' | 'dsn';

/** The result of one delivery attempt of one envelope at one sink. */
export type Settlement =
  /** The sink accepted the envelope and stores it as durably as the spool does. */
  | {
      readonly outcome: 'delivered';
      /** Digest of the envelope's error if the sink computes digests, else null; 64 hex digits. */
      readonly digest: string | null;
      /** Items that were removed before the delivery, with the reason. */
      readonly cut?: readonly Discard[];
    }
  /** The sink will never accept the envelope: it becomes a dead letter. */
  | {
      readonly outcome: 'refused';
      readonly reason: string;
      readonly status: number | null;
      /** Text of the sink's response, for operators. */
      readonly detail: string;
    }
  /** The delivery failed for now; the relay repeats it later. */
  | {
      readonly outcome: 'retry';
      readonly reason: string;
      readonly retryAfterMs: number | null;
      readonly scope: FailureScope;
    }
  /** A rate limit holds the envelope until `untilMs`, wall clock. `wasSent`: the sink answered this attempt so. */
  | { readonly outcome: 'held'; readonly untilMs: number; readonly wasSent: boolean }
  /** A rate limit drops the envelope. `wasSent`: the sink counted it; otherwise a client report does. */
  | { readonly outcome: 'dropped'; readonly wasSent: boolean };

/**
 * A destination of envelopes: the port that upstream and store implement.
 *
 * A sink must tolerate a repeated envelope: the process may die between the sink's response and the deletion from the spool.
 */
export abstract class Sink {
  /** Most envelopes in one call. */
  abstract readonly maxBatch: number;
  /** Delivers envelopes. Resolves with one settlement for each, in the same order; never rejects. */
  abstract deliver(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]>;
}
