import type { Discard } from '../outcome/outcome.ts';
import type { QueuedEnvelope } from './queued-envelope.ts';

/**
 * Cause of a failure: the connection (nothing of the envelope was sent), the sink, possibly the envelope, a page of a server
 * in front of the sink, possibly the DSN, or a refusal of the envelope, which is final only if the sink accepts others.
 */
export type FailureScope = 'connection' | 'sink' | 'envelope' | 'page' | 'dsn' | 'refusal';

/** Most characters of {@link Refusal.detail} that are stored. */
export const MAX_DETAIL_LENGTH = 500;

/** Response of an upstream that refused an envelope. */
export interface Refusal {
  readonly status: number | null;
  /** Its `X-Sentry-Error`, truncated; shown to operators only. */
  readonly detail: string;
}

/** Outcome of one envelope at one sink. */
export type Settlement =
  /** The sink accepted the items meant for it, and stores them as durably as the spool does. */
  | {
      readonly outcome: 'delivered';
      /** Digest of the error in it, 64 hex digits, from the sink that computes digests; another one for an unconfirmed sender. */
      readonly digest: string | null;
      /** Items that were removed before sending, with the reason. */
      readonly discarded?: readonly Discard[];
    }
  /** The sink will never accept it: it becomes a dead letter. */
  | {
      readonly outcome: 'refused';
      readonly reason: string;
      readonly status: number | null;
      /** Error text of the sink, for operators. */
      readonly detail: string;
    }
  /** The sink cannot accept it now; the relay retries later. */
  | {
      readonly outcome: 'retry';
      readonly reason: string;
      /** HTTP status, if a server has answered. */
      readonly status?: number;
      readonly retryAfterMs: number | null;
      readonly scope: FailureScope;
      /** Target of a redirect, which is not followed; for operators. */
      readonly location?: string;
      /** Set with the scope `refusal`, for the dead letter that the envelope may become. */
      readonly refusal?: Refusal;
    }
  /** A rate limit delays it until then, wall clock. `wasSent`: the sink has just answered so to this envelope. */
  | { readonly outcome: 'held'; readonly untilMs: number; readonly wasSent: boolean }
  /** A rate limit discards it. `wasSent`: the sink has counted it; if not, a client report has to. */
  | { readonly outcome: 'dropped'; readonly wasSent: boolean };

/**
 * Port of the relay, with two adapters: the upstream and the store.
 *
 * A sink must accept the same envelope twice: the process may be killed between its answer and the spool's deletion.
 */
export abstract class Sink {
  /** Most envelopes of one call. */
  abstract readonly maxBatch: number;
  /** Delivers envelopes; returns one settlement for each, in the same order. Never rejects. */
  abstract deliver(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]>;
}
