import type { EventStore } from '../store/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { CONNECTIONS, type WebhookClient } from './webhook-client.ts';

/** How often the store is asked for calls: so soon on-call hears of a new issue. */
const EVERY_MS = 5_000;
/** Pauses after failures, doubled each time; for a day, see store/webhook-calls. */
const MIN_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60 * 60 * 1000;

interface Call {
  readonly id: number;
  readonly body: string;
  readonly tries: number;
}

export interface WebhookSenderOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly now?: () => number;
  readonly random?: () => number;
}

/**
 * webhook/ tells a receiver of new issues and regressions. The calls lie in the store, written with what they tell of;
 * here they are made, and made again until they are taken. It must never hold up anything: intake, ingest, or the end of
 * the process.
 *
 * States: idle -> waiting <-> calling -> stopped.
 */
export class WebhookSender {
  readonly #store: EventStore;
  readonly #client: Pick<WebhookClient, 'call' | 'close'>;
  readonly #options: WebhookSenderOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(
    store: EventStore,
    client: Pick<WebhookClient, 'call' | 'close'>,
    options: WebhookSenderOptions,
  ) {
    this.#store = store;
    this.#client = client;
    this.#options = options;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.run().then(() => {
        if (!this.#isStopped) this.start();
      });
    }, EVERY_MS).unref();
  }

  /** Calls under way are cut, and made again after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#client.close();
    await this.#round;
  }

  /** Makes the calls that are due. */
  async run(): Promise<void> {
    const { log, metrics } = this.#options;
    try {
      const { calls, dropped } = await this.#store.ask('claimWebhookCalls');
      if (dropped > 0) log.error({ dropped }, 'webhook_calls_dropped');
      metrics.webhookCalls.inc({ outcome: 'dropped' }, dropped);
      const waiting = calls.values();
      await Promise.all(Array.from({ length: CONNECTIONS }, () => this.#makeAll(waiting)));
    } catch (err) {
      if (!this.#isStopped) log.error({ err }, 'webhook_failed');
    }
  }

  async #makeAll(calls: Iterable<Call>): Promise<void> {
    for (const call of calls) await this.#make(call);
  }

  async #make({ id, body, tries }: Call): Promise<void> {
    const { log, metrics, now = Date.now } = this.#options;
    const outcome = await this.#client.call(callIdOf(body), body, now());
    if (outcome.isTaken) metrics.webhookCalls.inc({ outcome: 'taken' });
    else {
      metrics.webhookCalls.inc({ outcome: 'failed' });
      log.warn({ reason: outcome.reason, tries }, 'webhook_call_failed');
    }
    await this.#store.ask('settleWebhookCall', id, outcome.isTaken ? null : now() + this.#pauseMs(tries));
  }

  /** Half of it drawn, so that what failed together does not come back together. */
  #pauseMs(tries: number): number {
    const { random = Math.random } = this.#options;
    const bound = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** Math.min(tries - 1, 20));
    return Math.round(bound / 2 + (random() * bound) / 2);
  }
}

/** The store wrote the body. */
function callIdOf(body: string): string {
  return (JSON.parse(body) as { readonly id: string }).id;
}
