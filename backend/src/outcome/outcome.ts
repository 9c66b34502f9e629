import type { DataCategory } from '../envelope/envelope-class.ts';

/*
 * outcome/ has the closed set of outcomes, and the arithmetic of the ledger that counts them.
 *
 * Every envelope that reaches Errata ends in exactly one outcome; a new way to lose one needs a new name here, a metric
 * and a test. It must never depend on the place where counts are stored or shown.
 */

/** The end of an accepted envelope. */
export type Fate =
  /** Every sink accepted its part. */
  | 'delivered'
  /** The upstream rejected it permanently; the store keeps its copy. */
  | 'dead_lettered'
  /** Older than the limit of its class. */
  | 'expired'
  /** Dropped, for a {@link LossReason}. */
  | 'dropped'
  /** Erased on request of an operator. */
  | 'erased';

/**
 * Reasons why items were dropped, in client reports. Only Sentry's own names: an upstream rejects others.
 *
 * @see https://develop.sentry.dev/sdk/telemetry/client-reports/
 */
export const DISCARD_REASONS = [
  /** The spool was full. */
  'queue_overflow',
  /** Older than the limit of its kind. */
  'cache_overflow',
  /** The upstream rejected it permanently. */
  'send_error',
  /** The upstream has a rate limit on its category. */
  'ratelimit_backoff',
  /** The client was above its rate limit. */
  'backpressure',
] as const;

export type DiscardReason = (typeof DISCARD_REASONS)[number];

export function isDiscardReason(reason: LossReason): reason is DiscardReason {
  return DISCARD_REASONS.some((each) => each === reason);
}

/** Number of items of one category that were dropped for one reason. */
export interface Discard {
  readonly reason: DiscardReason;
  readonly category: DataCategory;
  readonly quantity: number;
}

/** Reason why an accepted envelope was not delivered, in the ledger. */
export type LossReason =
  | DiscardReason
  /** No sink wants it: there is no upstream, and it has no items for the store. */
  | 'no_upstream'
  /** Its bytes are corrupt on disk. */
  | 'unreadable'
  /** The store could not store it; the upstream may have it. */
  | 'unstorable'
  /** An operator discarded it while it waited for a DSN that is not in the settings. */
  | 'upstream_not_in_settings';

/** A line of the ledger: a fate with its reason, or accepted envelopes. */
export type LedgerFate = Fate | 'accepted';
export type LedgerReason = LossReason | 'redriven' | '';

/** The lines of the ledger: the reasons of each fate, `''` for none. */
export const LEDGER_REASONS: Readonly<Record<LedgerFate, readonly LedgerReason[]>> = {
  accepted: ['', 'redriven'],
  delivered: [''],
  dead_lettered: ['send_error', 'unreadable', 'unstorable'],
  expired: ['cache_overflow'],
  dropped: ['queue_overflow', 'send_error', 'ratelimit_backoff', 'no_upstream', 'upstream_not_in_settings'],
  erased: [''],
};

/** Reasons why the tunnel rejected an envelope. */
export const REJECTION_REASONS = [
  /** The body is no valid envelope. */
  'malformed',
  /** Its DSN is not allowed. */
  'not_allowed',
  /** Posted from a page of another site. */
  'cross_site',
  /** Not a POST. */
  'method',
  /** Above a limit of body, items or number of items. */
  'too_large',
  /** An unsupported content encoding or content type. */
  'coding',
  /** The client's address is above its rate limit. */
  'rate_limited',
  /** Timeout while reading the body. */
  'timeout',
  /** The client disconnected before the end of the body. */
  'aborted',
  /** It could not be committed in time, or there was no memory for it. */
  'unavailable',
] as const;

export type RejectionReason = (typeof REJECTION_REASONS)[number];
