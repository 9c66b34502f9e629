import type { Discard } from '../outcome/outcome.ts';
import type { QueuedEnvelope } from './queued-envelope.ts';

/**
 * Whose fault a failure is: of the way there (nothing of the envelope was sent), the sink's, perhaps the envelope's,
 * perhaps the DSN's.
 */
export type FailureScope = 'way' | 'sink' | 'envelope' | 'dsn';

/** What became of one envelope at one sink. */
export type Settlement =
  /** The sink took what is its, and keeps it as durably as the spool does. */
  | {
      readonly outcome: 'delivered';
      /** Of the error in it, where the sink is the one that digests; 64 hex digits. */
      readonly digest: string | null;
      /** Items that were cut out before, and why. */
      readonly cut?: readonly Discard[];
    }
  /** The sink will never take it: it becomes a dead letter. */
  | {
      readonly outcome: 'refused';
      readonly reason: string;
      readonly status: number | null;
      /** What the sink said, for operators. */
      readonly detail: string;
    }
  /** Not now; the relay offers it again later. */
  | {
      readonly outcome: 'retry';
      readonly reason: string;
      readonly retryAfterMs: number | null;
      readonly blame: FailureScope;
    }
  /** A rate limit holds it until then, wall clock. `wasSent`: the sink itself said so, just now. */
  | { readonly outcome: 'held'; readonly untilMs: number; readonly wasSent: boolean }
  /** A rate limit lets it go. `wasSent`: the sink has counted it; else a client report has to tell. */
  | { readonly outcome: 'dropped'; readonly wasSent: boolean };

/**
 * Where the relay delivers to: the port behind which upstream and store stand.
 *
 * A sink must bear seeing an envelope twice: the process may die between its answer and the spool's deletion.
 */
export abstract class Sink {
  /** Most envelopes it wants in one call. */
  abstract readonly maxBatch: number;
  /** Offers envelopes; answers one settlement for each, in the same order. Never rejects. */
  abstract deliver(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]>;
}
