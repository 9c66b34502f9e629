import type { IssueName } from './event-api.ts';

/** Delivery of envelopes: the ledger, the queue, the destinations and the dead letters. Times are ISO 8601 in UTC. */

export const CONSOLE_DELIVERY_PATH = '/console/api/delivery';
export const CONSOLE_DEAD_LETTERS_PATH = '/console/api/dead-letters';

/** Number of envelopes with one fate and reason; `reason` is empty for accepted and delivered. */
export interface LedgerCount {
  readonly fate: string;
  readonly reason: string;
  readonly count: number;
}

/** Queued envelopes of one class; 0 is the most important. */
export interface QueuedClass {
  readonly class: number;
  readonly envelopes: number;
  readonly bytes: number;
  readonly oldest: string | null;
}

/** Envelopes that the tunnel rejected for one reason. */
export interface RejectionCount {
  readonly reason: string;
  readonly count: number;
}

/** Rejections of one DSN from one origin. Both texts come from strangers, and are cut. */
export interface RejectedDsn {
  /** DSN with the start of its key; null if the request was rejected before its DSN was read. */
  readonly dsn: string | null;
  /** Origin of the page; null for a program. */
  readonly origin: string | null;
  /** `not_allowed`: the DSN is not in the settings. `cross_site`: the origin is not. */
  readonly reason: 'not_allowed' | 'cross_site';
  readonly count: number;
  /** Time of the last one. */
  readonly last: string;
}

/** Dropped items, as reported to upstreams in client reports. */
export interface DroppedItems {
  readonly reason: string;
  readonly category: string;
  readonly quantity: number;
}

/** State of a sink: it accepts envelopes, it fails, or its upstream rejects the DSN. */
export type SinkState = 'flowing' | 'failing' | 'paused';

/** One destination: an upstream, or the local store. */
export interface SinkDetail {
  /** `store`, or `upstream` with host, port if any, project and the start of the key; as in the metrics. */
  readonly name: string;
  /** Host, port if any, and project of an upstream; null for the local store. */
  readonly place: string | null;
  /** First characters of the key, which differ between two DSNs of one project; null for the local store. */
  readonly key: string | null;
  readonly state: SinkState;
  /** Code of the failure: `timeout`, `status_503`, `unexpected_answer`, `dsn_rejected`; null without `since`. */
  readonly reason: string | null;
  /**
   * Time of the first failure since the last accepted envelope. Absent without one. While `state` is `flowing`, few envelopes
   * have failed: they may be at fault.
   */
  readonly since?: string;
  /** Categories with a rate limit, and its end; `all` for every category. */
  readonly limits: readonly { readonly category: string; readonly until: string }[];
  /** Queued envelopes for it. */
  readonly queued: number;
  readonly lastDelivered: string | null;
  /** Time of the next attempt. Absent while it is `flowing`, and while an attempt is in flight. */
  readonly nextAttempt?: string;
  /** Rejections of the DSN in a row. Absent unless it is `paused` because of them. */
  readonly rejections?: DsnRejections;
}

/** Whether events move, wait for a destination, or wait for an operator. */
export type DeliveryLevel = 'moving' | 'queued' | 'action';

/** A reason why events do not move. */
export interface DeliveryCause {
  /**
   * `paused`: a destination rejects its DSN. `failing`: it accepts nothing. `limited`: it limits errors. `rejecting`: new
   * errors get a 503. `stranded`: envelopes wait for a DSN that is not in the settings. `unequal`: the ledger does not balance.
   */
  readonly kind: 'paused' | 'failing' | 'limited' | 'rejecting' | 'stranded' | 'unequal';
  readonly level: Exclude<DeliveryLevel, 'moving'>;
  /** As in {@link SinkDetail}; null for the local store, and for a cause without a destination. */
  readonly place: string | null;
  readonly key: string | null;
  /** Code: `timeout`, `status_403`, `dsn_rejected`, `disk_full`, `spool_full`. */
  readonly reason: string | null;
  readonly since: string | null;
  /** Time of the next attempt, or end of the limit. */
  readonly until: string | null;
  /** `stranded`: waiting envelopes. `unequal`: missing ones; below 0, those counted twice. */
  readonly envelopes: number | null;
}

/**
 * The worst level of all causes, and the causes, worst first. Response of `GET /console/api/delivery/verdict`, which counts
 * nothing, and is therefore without `stranded` and `unequal`.
 */
export interface DeliveryVerdict {
  readonly level: DeliveryLevel;
  readonly causes: readonly DeliveryCause[];
}

/** Envelopes that wait for a DSN which is not in the settings: they are not sent, and expire. */
export interface StrandedDsn {
  /** Canonical DSN. */
  readonly project: string;
  readonly queued: number;
  /** Time at which the first of them expires; null if a damaged disk has made it unreadable. */
  readonly expires: string | null;
}

/** Body of `POST /console/api/delivery/discard`: the DSN of a {@link StrandedDsn}. */
export interface StrandedChoice {
  readonly project: string;
}

/** Rejections of a DSN in a row. */
export interface DsnRejections {
  readonly times: number;
  /** HTTP status of the last attempt; null if it got no response. */
  readonly status: number | null;
}

/** Queue and deliveries in one minute. */
export interface DeliveryMinute {
  /** Queued envelopes at its end. */
  readonly queued: number;
  /** Envelopes that were accepted and delivered in it. */
  readonly accepted: number;
  readonly delivered: number;
}

/** The last three hours of the process that responds, by minute. */
export interface DeliveryMinutes {
  /** End of the last minute. */
  readonly end: string;
  /** 180 minutes, oldest first; null without a count: before the start of the process, or while the spool did not respond. */
  readonly minutes: readonly (DeliveryMinute | null)[];
}

/** A source that the policy of the client blocks, or would block, as browsers report it: anyone may send such a report. */
export interface PolicyFinding extends IssueName {
  readonly directive: string;
  /** Origin, scheme or keyword: `https://api.example`, `data`, `inline`. */
  readonly blocked: string;
  /**
   * Part of `ERRATA_CSP_EXTRA` that allows it, for an origin, which any sender may name: images, styles, fonts, frames,
   * connections. Null for scripts, forms, `object-src`, keywords and schemes: a report is no reason to allow them.
   */
  readonly allow: string | null;
  /** Networks (/24 or /48) that reported it to this process since its start; 30 means 30 or more. */
  readonly networks: number;
  readonly events: number;
  readonly lastSeen: string;
}

/** Response of `GET /console/api/delivery`. */
export interface DeliveryState {
  /** Host and spool of the replica that responds; null for a single process. Other replicas have other figures. */
  readonly process: string | null;
  readonly verdict: DeliveryVerdict;
  /** Time at which the oldest queued error or feedback expires; null without one. */
  readonly errorsExpire: string | null;
  readonly accepted: number;
  readonly delivered: number;
  readonly queued: number;
  /** Refused so far, those that were sent again included. */
  readonly deadLettered: number;
  readonly expired: number;
  readonly dropped: number;
  /** Erased on request before they were delivered; see erasure-api.ts. */
  readonly erased: number;
  /** Accepted envelopes that no other figure counts. Always 0; anything else is a bug. */
  readonly missing: number;
  readonly ledger: readonly LedgerCount[];
  readonly classes: readonly QueuedClass[];
  readonly droppedItems: readonly DroppedItems[];
  /** Used share of the spool's maximum size, 0 to 1. */
  readonly fill: number;
  /** Dead letters that are stored now, malformed bodies included. */
  readonly deadLetters: number;
  /** Used bytes of the spool, and its maximum size. */
  readonly bytes: number;
  readonly maxBytes: number;
  /** Events stored so far, deleted ones included; null while the store is unavailable. */
  readonly stored: number | null;
  readonly sinks: readonly SinkDetail[];
  /** DSNs that are no longer in the settings, and for which envelopes of this process wait. */
  readonly stranded: readonly StrandedDsn[];
  /** Envelopes that this process rejected in the last 24 hours, most frequent reason first. No other figure counts them. */
  readonly rejected: readonly RejectionCount[];
  /** Start of the process while it is younger than 24 hours: `rejected` counts from then on. Null later. */
  readonly rejectedSince: string | null;
  /** The 20 newest DSNs and origins that this process rejected since its start, newest first. */
  readonly rejectedDsns: readonly RejectedDsn[];
  readonly history: DeliveryMinutes;
  /**
   * The first 50 open reports about the policy of another team's client, those of most networks first, then the newest,
   * without those that it allows by now; null with the built-in client, and while the policy is off or the store is
   * unavailable.
   */
  readonly policy: readonly PolicyFinding[] | null;
  /** Open reports after the first 50; 950 means 950 or more. The list of issues has all. */
  readonly policyLeftOut: number;
}

/** Response of `POST /console/api/delivery/retry`: number of failing destinations that are tried now. */
export interface RetryResult {
  readonly retried: number;
}

/** An envelope that no destination accepts, without its bytes. A time is null if a damaged disk has made it unreadable. */
export interface DeadLetterSummary {
  /** Number and spool: the API responds 409 to IDs of another replica's spool. */
  readonly id: string;
  readonly project: string;
  readonly eventId: string | null;
  readonly received: string | null;
  readonly deadLettered: string | null;
  readonly reason: string;
  readonly status: number | null;
  readonly detail: string;
  readonly bytes: number;
  /** Whether it can be sent again. */
  readonly canRedrive: boolean;
}

/** Response of `GET /console/api/dead-letters`, newest first. `next` is the cursor of the next page. */
export interface DeadLetterList {
  readonly deadLetters: readonly DeadLetterSummary[];
  readonly next: string | null;
}

/** Body of `POST /console/api/dead-letters/redrive` and `…/discard`. */
export interface DeadLetterChoice {
  readonly ids: readonly string[];
}

/** Response: number of dead letters or envelopes that were sent or discarded; others no longer exist or cannot be sent again. */
export interface DeadLetterResult {
  readonly done: number;
}

/** Response of `GET /console/api/dead-letters/:id`: its content, secrets removed. Sending it again uses the original bytes. */
export interface DeadLetterDetail extends DeadLetterSummary {
  readonly items: readonly DeadLetterItem[];
  /** Start of the bytes, about 200, secrets removed, where no item can be read; otherwise null. A client chose them. */
  readonly beginning: string | null;
  /** Reason why it could not be read completely; null if it could, and if `detail` says it: that of a malformed one. */
  readonly unread: string | null;
  /** Headers `Origin` and `User-Agent` of the request that brought it; null if it had none. */
  readonly origin: string | null;
  readonly userAgent: string | null;
}

export interface DeadLetterItem {
  readonly type: string;
  readonly bytes: number;
  /** JSON of the item, secrets removed, indented, truncated at 64 KiB; null if it is not JSON. */
  readonly text: string | null;
}
