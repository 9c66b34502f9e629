import type { DataCategory } from '../envelope/envelope-class.ts';

/*
 * What can become of an envelope, and the count of it.
 *
 * Every envelope that reaches Errata ends in exactly one of these outcomes; a new way to lose one needs a new name
 * here, a metric and a test. Nothing here may know where the counts are shown or stored.
 */

/** Where an accepted envelope ends. */
export type Fate =
  /** Every sink took what is its. */
  | 'delivered'
  /** The upstream refused it for good; the store's copy stays. */
  | 'dead_lettered'
  /** Older than its class may get. */
  | 'expired'
  /** Let go: see {@link LossReason}. */
  | 'shed'
  /** Forgotten, as somebody asked for it. */
  | 'erased';

/**
 * Why items were let go, as client reports name it: only Sentry's own names, an upstream refuses others.
 *
 * @see https://develop.sentry.dev/sdk/telemetry/client-reports/
 */
export type DiscardReason =
  /** The spool was full. */
  | 'queue_overflow'
  /** Older than its kind may get. */
  | 'cache_overflow'
  /** The upstream refused it for good. */
  | 'send_error'
  /** Its category was limited by the upstream. */
  | 'ratelimit_backoff'
  /** The sender was above its quota here. */
  | 'backpressure';

/** A number of items of one category that were discarded for one reason. */
export interface Discard {
  readonly reason: DiscardReason;
  readonly category: DataCategory;
  readonly quantity: number;
}

/** Why an accepted envelope was not delivered, as the ledger counts it. */
export type LossReason =
  | DiscardReason
  /** Nobody wants it: no upstream, and nothing in it for the store. */
  | 'no_upstream'
  /** Its bytes rotted on the disk. */
  | 'unreadable'
  /** The store could not keep it, though the upstream may have. */
  | 'unstorable';

/** Why the tunnel refused an envelope. */
export type RejectionReason =
  /** No envelope by the format's rules. */
  | 'malformed'
  /** Its DSN is none of ours. */
  | 'not_allowed'
  /** Posted from a site that may not. */
  | 'cross_site'
  /** Not a POST. */
  | 'method'
  /** Over a limit of body, items or item count. */
  | 'too_large'
  /** A content coding that is not taken. */
  | 'coding'
  /** The sender's address is above its quota. */
  | 'rate_limited'
  /** The body came too slowly. */
  | 'timeout'
  /** The sender went away in mid-body. */
  | 'aborted'
  /** It could not be committed in time, or there was no memory for it. */
  | 'unavailable';
