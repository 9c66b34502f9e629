import type { IssueKind } from './event-api.ts';

/** What Errata posts to `ERRATA_WEBHOOK_URL`, as JSON. Times are ISO 8601 in UTC. See docs/webhook.md. */

/** Names the call: the same at each attempt, so that a receiver knows a repeat. */
export const WEBHOOK_ID_HEADER = 'Errata-Webhook-Id';
/** `t=<unix seconds>,v1=<HMAC-SHA256 of "t.body" in hex>`, with `ERRATA_WEBHOOK_SECRET` as the key. */
export const WEBHOOK_SIGNATURE_HEADER = 'Errata-Signature';

/** `issue.new`: a digest nobody has seen in the project; `issue.regressed`: one that was resolved came back. */
export type IssueEvent = 'issue.new' | 'issue.regressed';

export interface WebhookIssue {
  readonly digest: string;
  /** The full SHA-256 in hex. */
  readonly key: string;
  readonly kind: IssueKind;
  readonly title: string;
  /** Canonical DSN. */
  readonly project: string;
  /** Of the newest event. */
  readonly release: string | null;
  readonly events: number;
  readonly users: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Its page in the console; null while `ERRATA_PUBLIC_URL` is not set. */
  readonly permalink: string | null;
}

export interface IssueCall {
  readonly id: string;
  readonly event: IssueEvent;
  readonly time: string;
  readonly issue: WebhookIssue;
}

/** In place of more calls than a minute takes. */
export interface SummaryCall {
  readonly id: string;
  readonly event: 'issues.summary';
  readonly time: string;
  /** How many there were of each. */
  readonly counts: Readonly<Record<IssueEvent, number>>;
  /** The first of them. */
  readonly issues: readonly WebhookIssue[];
  /** The console's list of issues. */
  readonly permalink: string | null;
}

export type WebhookBody = IssueCall | SummaryCall;
