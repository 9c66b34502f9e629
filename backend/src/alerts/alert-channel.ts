import type { AlertFilter } from '../contract/alert-filter.ts';
import type { WebhookBody } from '../contract/webhook-api.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/**
 * Outcome of a message. `reason` is a code for the log: `status_500`, `timeout`, `ECONNREFUSED`, `EgressRefused`. `detail`
 * is the receiver's text, without the secrets of the target; the log never has it.
 */
export type AlertOutcome =
  | { readonly isAccepted: true; readonly detail: string | null }
  | {
      readonly isAccepted: false;
      readonly reason: string;
      readonly detail: string | null;
      /** Its `Retry-After`; null without one. */
      readonly retryAfterMs: number | null;
    };

export interface AlertMessage {
  /** The same at each attempt. */
  readonly deliveryId: string;
  readonly body: WebhookBody;
  /** Number of attempts, including this one. */
  readonly attempts: number;
}

/** Sends messages to one address: over HTTP, or by mail. A failure is an outcome, never a rejection. */
export interface AlertTransport {
  send(message: AlertMessage, nowMs: number, timeoutMs: number): Promise<AlertOutcome>;
  /** Aborts messages in flight. */
  close(): Promise<void>;
}

interface AlertChannelOptions {
  /** Start of the SHA-256 of the address. */
  readonly id: string;
  /** Name in log, metrics and console. */
  readonly name: string;
  readonly filter: AlertFilter;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly now?: () => number;
}

/** A receiver should only store the message and work on it later: a slower one delays the messages behind it. */
export const TIMEOUT_MS = 10_000;
/** Outcomes of messages in the metrics. */
const OUTCOMES = ['accepted', 'failed', 'dropped'] as const;

/** The way to one target of ERRATA_ALERTS: everything that is sent to it goes through here, and is counted and logged. */
export class AlertChannel {
  readonly id: string;
  readonly name: string;
  readonly filter: AlertFilter;
  readonly #transport: AlertTransport;
  readonly #options: AlertChannelOptions;

  constructor(transport: AlertTransport, options: AlertChannelOptions) {
    const { id, name, filter } = options;
    this.id = id;
    this.name = name;
    this.filter = filter;
    this.#transport = transport;
    this.#options = options;
    for (const outcome of OUTCOMES) this.#count(outcome, 0);
  }

  /** Sends one message now, past filter and limit. */
  async send(message: AlertMessage, timeoutMs = TIMEOUT_MS): Promise<AlertOutcome> {
    const { log, now = Date.now } = this.#options;
    const outcome = await this.#transport.send(message, now(), timeoutMs);
    this.#count(outcome.isAccepted ? 'accepted' : 'failed');
    if (!outcome.isAccepted)
      log.warn({ target: this.name, reason: outcome.reason, attempts: message.attempts }, 'alert_failed');
    return outcome;
  }

  /** Counts messages that will not be sent. */
  drop(dropped: number): void {
    reportDropped(this.name, dropped, this.#options);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #count(outcome: (typeof OUTCOMES)[number], count = 1): void {
    this.#options.metrics.alerts.inc({ target: this.name, outcome }, count);
  }
}

/** Counts and logs messages to a target that will not be sent. With 0 the metric has the target, and the log nothing. */
export function reportDropped(
  target: string,
  dropped: number,
  { log, metrics }: { readonly log: Pick<Log, 'error'>; readonly metrics: Pick<Metrics, 'alerts'> },
): void {
  if (dropped > 0) log.error({ target, dropped }, 'alerts_dropped');
  metrics.alerts.inc({ target, outcome: 'dropped' }, dropped);
}
