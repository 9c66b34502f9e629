import type { EventStore } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import { type BackoffBounds, backoffMs } from '../time/backoff.ts';
import { every, type Job } from '../time/every.ts';
import { HOUR_MS } from '../time/iso.ts';
import type { AlertChannel, AlertMessage } from './alert-channel.ts';
import { CONNECTIONS } from './alert-client.ts';

/** Interval of the queries for due deliveries: the delay until on-call hears of a new issue. */
const EVERY_MS = 5_000;
/** Pauses after failures. The store drops a delivery after a day (store/outbox). */
const PAUSES: BackoffBounds = { minMs: 5_000, maxMs: HOUR_MS };

interface DueAlert extends AlertMessage {
  readonly id: number;
}

interface AlertSenderOptions {
  readonly log: Pick<Log, 'error'>;
  readonly now?: () => number;
  readonly random?: () => number;
}

/**
 * Sends the alerts of one target about new, regressed and frequent issues. The store writes a row in the transaction of its
 * issue (outbox); the sender sends it until the receiver accepts it. It must never delay intake, ingest, or the end of the
 * process.
 */
export class AlertSender {
  readonly channel: AlertChannel;
  readonly #store: Pick<EventStore, 'ask'>;
  readonly #log: Pick<Log, 'error'>;
  readonly #now: () => number;
  readonly #random: () => number;
  #job: Job | null = null;
  #round: Promise<void> = Promise.resolve();

  constructor(
    store: Pick<EventStore, 'ask'>,
    channel: AlertChannel,
    { log, now = Date.now, random = Math.random }: AlertSenderOptions,
  ) {
    this.#store = store;
    this.channel = channel;
    this.#log = log;
    this.#now = now;
    this.#random = random;
  }

  start(): void {
    const run = (): Promise<void> => (this.#round = this.run());
    this.#job = every({ everyMs: EVERY_MS }, run, (err) => this.#log.error({ err }, 'alerts_failed'));
  }

  /** Aborts deliveries in flight; they are sent again after the next start. */
  async stop(): Promise<void> {
    this.#job?.stop();
    await this.channel.close();
    await Promise.allSettled([this.#round]);
  }

  /** Sends the due deliveries. */
  async run(): Promise<void> {
    const { alerts, dropped } = await this.#store.ask('claimAlerts', this.channel.id);
    this.channel.drop(dropped);
    const queue = alerts.values();
    await Promise.all(Array.from({ length: CONNECTIONS }, () => this.#sendAll(queue)));
  }

  async #sendAll(alerts: Iterable<DueAlert>): Promise<void> {
    for (const alert of alerts) await this.#send(alert);
  }

  async #send(alert: DueAlert): Promise<void> {
    const outcome = await this.channel.send(alert);
    if (outcome.isAccepted) return this.#store.ask('settleAlert', alert.id, null);
    const { reason, retryAfterMs } = outcome;
    const pauseMs = Math.max(backoffMs(alert.attempts, PAUSES, this.#random), retryAfterMs ?? 0);
    return this.#store.ask('settleAlert', alert.id, { atMs: this.#now() + Math.round(pauseMs), reason });
  }
}
