import type { EventStore } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { CONNECTIONS, type WebhookClient } from './webhook-client.ts';

/** Interval between claims: on-call learns of a new issue within it. */
const EVERY_MS = 5_000;
/** Pauses after failures, doubled each time, for a day; see store/outbox/. */
const MIN_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60 * 60 * 1000;

interface Delivery {
  readonly id: number;
  readonly deliveryId: string;
  readonly body: string;
  readonly attempts: number;
}

export interface WebhookSenderOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly now?: () => number;
  readonly random?: () => number;
}

type SenderState = 'idle' | 'waiting' | 'sending' | 'stopped';

/** Moves that {@link WebhookSender} allows. A round without a timer starts and ends in `idle`. */
const MOVES: Readonly<Record<SenderState, readonly SenderState[]>> = {
  idle: ['waiting', 'stopped'],
  waiting: ['sending', 'stopped'],
  sending: ['waiting', 'stopped'],
  stopped: [],
};

/**
 * webhook/ posts new and regressed issues to a receiver. The store queues the deliveries; this class sends them, and
 * retries them until the receiver accepts. It must never delay intake, ingest, or the end of the process.
 *
 * States: idle -> waiting <-> sending; each -> stopped, which is final.
 */
export class WebhookSender {
  readonly #store: EventStore;
  readonly #client: Pick<WebhookClient, 'post' | 'close'>;
  readonly #options: WebhookSenderOptions;
  #state: SenderState = 'idle';
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(
    store: EventStore,
    client: Pick<WebhookClient, 'post' | 'close'>,
    options: WebhookSenderOptions,
  ) {
    this.#store = store;
    this.#client = client;
    this.#options = options;
  }

  start(): void {
    this.#move('waiting');
    this.#timer = setTimeout(() => {
      this.#move('sending');
      this.#round = this.run().then(() => {
        if (this.#state !== 'stopped') this.start();
      });
    }, EVERY_MS).unref();
  }

  /** Stops for good. Cuts the deliveries under way; the next start retries them. */
  async stop(): Promise<void> {
    if (this.#state !== 'stopped') this.#move('stopped');
    clearTimeout(this.#timer);
    await this.#client.close();
    await this.#round;
  }

  /** Sends the deliveries that are due. */
  async run(): Promise<void> {
    const { log, metrics } = this.#options;
    try {
      const { deliveries, dropped } = await this.#store.ask('claimWebhookDeliveries');
      if (dropped > 0) log.error({ dropped }, 'webhook_deliveries_dropped');
      metrics.webhookDeliveries.inc({ outcome: 'dropped' }, dropped);
      const queued = deliveries.values();
      await Promise.all(Array.from({ length: CONNECTIONS }, () => this.#sendAll(queued)));
    } catch (err) {
      if (this.#state !== 'stopped') log.error({ err }, 'webhook_failed');
    }
  }

  async #sendAll(deliveries: Iterable<Delivery>): Promise<void> {
    for (const delivery of deliveries) await this.#send(delivery);
  }

  async #send({ id, deliveryId, body, attempts }: Delivery): Promise<void> {
    const { log, metrics, now = Date.now } = this.#options;
    const outcome = await this.#client.post(deliveryId, body, now());
    if (outcome.isAccepted) metrics.webhookDeliveries.inc({ outcome: 'accepted' });
    else {
      metrics.webhookDeliveries.inc({ outcome: 'failed' });
      log.warn({ reason: outcome.reason, attempts }, 'webhook_delivery_failed');
    }
    const retryAtMs = outcome.isAccepted ? null : now() + this.#pauseMs(attempts);
    await this.#store.ask('settleWebhookDelivery', id, retryAtMs);
  }

  /** Returns the pause, half of it random, so that deliveries that failed together are not retried together. */
  #pauseMs(attempts: number): number {
    const { random = Math.random } = this.#options;
    const bound = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** Math.min(attempts - 1, 20));
    return Math.round(bound / 2 + (random() * bound) / 2);
  }

  #move(to: SenderState): void {
    if (!MOVES[this.#state].includes(to)) throw new Error(`webhook sender: ${this.#state} -> ${to}`);
    this.#state = to;
  }
}
