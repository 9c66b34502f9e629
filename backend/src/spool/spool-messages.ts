import type { Fate } from '../outcome/outcome.ts';
import type { PackedEnvelopes } from './packed-envelopes.ts';

/** What the spool and its worker thread say to each other, and the values both use. */

/** Fates from best to worst; their rank is what the file stores. */
export const FATES: readonly Fate[] = ['delivered', 'shed', 'expired', 'dead_lettered'];

/** The fate of an envelope whose sinks disagree. */
export function worseFate(one: Fate, other: Fate): Fate {
  return FATES.indexOf(one) >= FATES.indexOf(other) ? one : other;
}

/** Sinks that are done with an envelope. */
export interface SettledEnvelope {
  readonly id: number;
  readonly bits: number;
  readonly fate: Fate;
}

/** A look for the next envelopes of one lane. */
export interface Claim {
  readonly afterId: number;
  readonly bit: number;
  /** Only this project's, or null for all. */
  readonly project: string | null;
  readonly limit: number;
  readonly maxBytes: number;
}

export interface SpoolLimits {
  /** Cap of the file, in bytes. */
  readonly maxBytes: number;
}

/** State of the spool; `ledger` counts accepted and each fate since the file was made. */
export interface SpoolCounts {
  readonly held: number;
  readonly oldestReceivedAtMs: number | null;
  readonly usedBytes: number;
  readonly ledger: Readonly<Record<string, number>>;
}

/** Start data of the worker. */
export interface SpoolWorkerData {
  readonly directory: string;
  readonly limits: SpoolLimits;
}

export type SpoolRequest =
  | {
      readonly kind: 'commit';
      readonly appends: PackedEnvelopes;
      readonly settled: readonly SettledEnvelope[];
    }
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'counts' }
  | { readonly kind: 'close' };

export type SpoolReply =
  | { readonly kind: 'opened'; readonly lost: number }
  | { readonly kind: 'committed'; readonly ids: readonly number[] }
  | {
      readonly kind: 'claimed';
      readonly envelopes: PackedEnvelopes;
      readonly rotten: readonly number[];
    }
  | { readonly kind: 'counted'; readonly counts: SpoolCounts }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly reason: 'full' | 'error'; readonly message: string };
