import type { AlertService } from '../contract/alert-filter.ts';
import type { WebhookBody } from '../contract/webhook-api.ts';
import type { EventStore } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type BackoffBounds, backoffMs } from '../time/backoff.ts';
import { every, type Job } from '../time/every.ts';
import { HOUR_MS } from '../time/iso.ts';
import { bodyFor } from './alert-message.ts';
import { CONNECTIONS, type AlertClient } from './alert-client.ts';

/** Interval of the queries for due deliveries: the delay until on-call hears of a new issue. */
const EVERY_MS = 5_000;
/** Pauses after failures. The store drops a delivery after a day (store/outbox). */
const PAUSES: BackoffBounds = { minMs: 5_000, maxMs: HOUR_MS };

/** Outcomes of deliveries in the metrics. */
const OUTCOMES = ['accepted', 'failed', 'dropped'] as const;

interface DueAlert {
  readonly id: number;
  readonly deliveryId: string;
  readonly body: WebhookBody;
  readonly attempts: number;
}

export interface AlertSenderOptions {
  /** Id of the target. */
  readonly target: string;
  /** Its name in log and metrics. */
  readonly name: string;
  readonly service: AlertService;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly now?: () => number;
  readonly random?: () => number;
}

/**
 * Sends the alerts of one target about new and regressed issues. The store writes a row in the transaction of its issue
 * (outbox); the sender sends it until the receiver accepts it. It must never delay intake, ingest, or the end of the
 * process.
 */
export class AlertSender {
  readonly #store: Pick<EventStore, 'ask'>;
  readonly #client: Pick<AlertClient, 'send' | 'close'>;
  readonly #options: AlertSenderOptions;
  #job: Job | null = null;
  #round: Promise<void> = Promise.resolve();
  /** Whether the rows of targets that have left the settings are deleted. */
  #hasDropped = false;

  constructor(
    store: Pick<EventStore, 'ask'>,
    client: Pick<AlertClient, 'send' | 'close'>,
    options: AlertSenderOptions,
  ) {
    this.#store = store;
    this.#client = client;
    this.#options = options;
    for (const outcome of OUTCOMES) this.#count(outcome, 0);
  }

  start(): void {
    const run = (): Promise<void> => (this.#round = this.run());
    this.#job = every({ everyMs: EVERY_MS }, run, (err) => this.#options.log.error({ err }, 'alerts_failed'));
  }

  /** Aborts deliveries in flight; they are sent again after the next start. */
  async stop(): Promise<void> {
    this.#job?.stop();
    await this.#client.close();
    await Promise.allSettled([this.#round]);
  }

  /** Sends the due deliveries. */
  async run(): Promise<void> {
    if (!this.#hasDropped) this.#drop(await this.#store.ask('dropOtherTargets'));
    this.#hasDropped = true;
    const { alerts, dropped } = await this.#store.ask('claimAlerts', this.#options.target);
    this.#drop(dropped);
    const queue = alerts.values();
    await Promise.all(Array.from({ length: CONNECTIONS }, () => this.#sendAll(queue)));
  }

  #count(outcome: (typeof OUTCOMES)[number], count = 1): void {
    this.#options.metrics.alerts.inc({ target: this.#options.name, outcome }, count);
  }

  #drop(dropped: number): void {
    const { log, name: target } = this.#options;
    if (dropped > 0) log.error({ target, dropped }, 'alerts_dropped');
    this.#count('dropped', dropped);
  }

  async #sendAll(alerts: Iterable<DueAlert>): Promise<void> {
    for (const alert of alerts) await this.#send(alert);
  }

  async #send({ id, deliveryId, body, attempts }: DueAlert): Promise<void> {
    const { log, name: target, service, now = Date.now, random = Math.random } = this.#options;
    const message = bodyFor(service, body);
    const outcome = await this.#client.send(deliveryId, message, now());
    if (outcome.isAccepted) this.#count('accepted');
    else {
      this.#count('failed');
      log.warn({ target, reason: outcome.reason, attempts }, 'alert_failed');
    }
    const atMs = now() + Math.round(backoffMs(attempts, PAUSES, random));
    const retry = outcome.isAccepted ? null : { atMs, reason: outcome.reason };
    await this.#store.ask('settleAlert', id, retry);
  }
}
