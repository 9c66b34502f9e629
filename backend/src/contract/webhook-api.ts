import type { DeliveryCause } from './delivery-api.ts';
import type { IssueKind } from './event-api.ts';

/**
 * Requests to targets of `ERRATA_ALERTS`, as JSON. Times are ISO 8601 in UTC. See docs/alerts.md.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */

/** ID of the delivery: the same for each attempt, so that the receiver recognises a repeat. */
export const WEBHOOK_ID_HEADER = 'webhook-id';
/** Time of the attempt, Unix seconds. */
export const WEBHOOK_TIMESTAMP_HEADER = 'webhook-timestamp';
/** `v1,<base64>`: HMAC-SHA256 of "id.timestamp.body", with the bytes of the option `secret` as the key. */
export const WEBHOOK_SIGNATURE_HEADER = 'webhook-signature';

/**
 * `issue.new`: the first event of an issue; `issue.regressed`: an event of a resolved issue; `issue.frequent`: in this hour
 * an open issue has 100 events, and ten times its busiest hour of the day before.
 */
export type IssueEvent = 'issue.new' | 'issue.regressed' | 'issue.frequent';

interface AlertFrame {
  /** `cart/total.ts:42 totalOf`. */
  readonly place: string;
  /** The line of source. */
  readonly source: string | null;
}

export interface WebhookIssue {
  readonly digest: string;
  /** The full SHA-256 in hex. */
  readonly key: string;
  readonly kind: IssueKind;
  /** See IssueSummary. */
  readonly isConfirmed: boolean;
  /** Class and message of the newest event; numbers, addresses, hosts and quoted values are replaced as in the digest. */
  readonly title: string;
  /** Its first own frame; null without one. */
  readonly frame: AlertFrame | null;
  /** Host and path of the DSN. */
  readonly project: string;
  /** Release of the newest event. */
  readonly release: string | null;
  /** Of the newest event that is stored in full; null where it names none, or where there is none. */
  readonly environment: string | null;
  /** Its level as sent, `error` where the SDK sent none; null where there is no such event. */
  readonly level: string | null;
  readonly events: number;
  readonly users: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Its page in the console; null while `ERRATA_PUBLIC_URL` is not set. */
  readonly link: string | null;
}

export interface IssueDelivery {
  readonly type: IssueEvent;
  /** Time at which the issue became new, regressed or frequent. */
  readonly timestamp: string;
  readonly data: WebhookIssue;
}

interface IssuesSummary {
  /** Number of issues by kind of event. */
  readonly counts: Readonly<Record<IssueEvent, number>>;
  /** The first issues. */
  readonly issues: readonly WebhookIssue[];
  /** The console's list of issues. */
  readonly link: string | null;
}

/** Replaces the deliveries above the limit of a minute. */
export interface SummaryDelivery {
  readonly type: 'issues.summary';
  readonly timestamp: string;
  readonly data: IssuesSummary;
}

/** The message of an operator who tests a target. */
export interface TestDelivery {
  readonly type: 'test';
  readonly timestamp: string;
  readonly data: {
    readonly text: string;
    /** The Delivery page of the console. */
    readonly link: string | null;
  };
}

/** A problem of one process of Errata. */
export interface HealthProblem {
  /**
   * As on the Delivery page, and: `queue_fill`: 70 % of the queue or more are used. `dead_letters`: some are stored.
   * `errors_dropped`: within the last hour.
   */
  readonly kind: Exclude<DeliveryCause['kind'], 'limited'> | 'queue_fill' | 'dead_letters' | 'errors_dropped';
  /** The destination and the start of its key; null for the local store, and for a problem without a destination. */
  readonly place: string | null;
  readonly key: string | null;
  /** Code: `timeout`, `status_403`, `disk_full`. */
  readonly reason: string | null;
  /** Envelopes of `stranded` and `unequal` (below 0, those counted twice), dead letters, percent of `queue_fill`. */
  readonly count: number | null;
}

/** Begin or end of a problem. */
export interface HealthDelivery {
  readonly type: 'health.problem' | 'health.recovered';
  /** Time of its begin, or of its end. */
  readonly timestamp: string;
  readonly data: HealthProblem & {
    /** Name of the host of the process. */
    readonly host: string;
    readonly since: string;
    /** The Delivery page of the console. */
    readonly link: string | null;
  };
}

/** The bodies of the outbox. */
export type QueuedBody = IssueDelivery | SummaryDelivery;

export type WebhookBody = QueuedBody | TestDelivery | HealthDelivery;
