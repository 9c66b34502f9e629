import type { SpooledEnvelope } from '../spool/spooled-envelope.ts';

/**
 * What became of one envelope at one sink.
 *
 * `delivered`: the sink took what is its, and keeps it as durably as the spool does. `refused`: it never will
 * (the row goes, `reason` is counted). `retry`: not now; the relay offers the envelope again later.
 */
export type Settlement =
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'refused'; readonly reason: string; readonly status: number | null }
  | { readonly outcome: 'retry'; readonly reason: string; readonly retryAfterMs: number | null };

/**
 * Where the relay delivers to: the port behind which upstream and store stand.
 *
 * A sink must bear seeing an envelope twice: the process may die between its answer and the spool's deletion.
 */
export abstract class Sink {
  /** Most envelopes it wants in one call. */
  abstract readonly maxBatch: number;
  /** Offers envelopes; answers one settlement for each, in the same order. Never rejects. */
  abstract deliver(batch: readonly SpooledEnvelope[]): Promise<readonly Settlement[]>;
}
