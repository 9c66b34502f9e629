import { setTimeout as delay } from 'node:timers/promises';
import type { Spool } from '../spool/spool.ts';
import type { Fate } from '../outcome/outcome.ts';
import type { SpooledEnvelope } from '../spool/spooled-envelope.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { Backoff } from './backoff.ts';
import type { Pace } from './pace.ts';
import type { Settlement, Sink } from './sink.ts';

/** What one claim takes into memory at most. */
const CLAIM_ROWS = 256;
const CLAIM_BYTES = 4 * 2 ** 20;

/** One sink and its place in the spool. */
export interface LaneOptions {
  /** Name in log and metrics. */
  readonly name: string;
  readonly sink: Sink;
  /** The sink's bit in `pending`. */
  readonly bit: number;
  /** Only this project's envelopes, or null for all. */
  readonly project: string | null;
  /** Batches under way at once. */
  readonly concurrency: number;
  /** Older envelopes expire. */
  readonly maxAgeMs: number;
  readonly backoff: { readonly minMs: number; readonly maxMs: number };
}

/** What all lanes share. */
export interface LaneContext {
  readonly spool: Spool;
  readonly pace: Pace;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * One sink's way through the spool, oldest first.
 *
 * States: flowing -> pausing (a delivery failed: all wait out the backoff) -> probing (one delivery alone) ->
 * flowing or pausing again; stopped from each of them. What failed goes back to the front: nothing overtakes it
 * for good, and nothing is deleted before its sink has settled it.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #context: LaneContext;
  readonly #backoff: Backoff;
  readonly #stop = new AbortController();
  #queue: SpooledEnvelope[] = [];
  #cursor = 0;
  #refill: Promise<void> | undefined;
  #pause: Promise<void> | undefined;
  #isProbing = false;
  #wake: () => void = () => {};
  #sleep: Promise<void> | undefined;
  #runs: Promise<void> | undefined;

  constructor(options: LaneOptions, context: LaneContext) {
    this.#options = options;
    this.#context = context;
    this.#backoff = new Backoff(options.backoff.minMs, options.backoff.maxMs);
  }

  /** `flowing` while the sink takes what it is offered. */
  get state(): 'flowing' | 'pausing' {
    return this.#backoff.isFailing ? 'pausing' : 'flowing';
  }

  start(): void {
    this.#runs ??= Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#run())).then(
      () => {},
    );
  }

  /** There may be new envelopes. */
  wake(): void {
    this.#wake();
  }

  /** Ends after the deliveries under way; what they did not settle stays in the spool. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#runs;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const batch = await this.#next();
      if (batch.length === 0) continue;
      const settlements = await this.#context.pace.during(() => this.#options.sink.deliver(batch));
      this.#apply(batch, settlements);
    }
  }

  /** Takes the next batch; empty when it had to wait and should look again. */
  async #next(): Promise<readonly SpooledEnvelope[]> {
    if (this.#pause !== undefined) {
      await this.#pause;
      return [];
    }
    if (this.#backoff.isFailing && this.#isProbing) {
      await this.#sleepUntilWoken();
      return [];
    }
    if (this.#queue.length === 0) {
      await (this.#refill ??= this.#claim());
      return [];
    }
    this.#isProbing = this.#backoff.isFailing;
    return this.#queue.splice(0, this.#isProbing ? 1 : this.#options.sink.maxBatch);
  }

  async #claim(): Promise<void> {
    const { bit, project, maxAgeMs } = this.#options;
    const sleep = this.#sleepUntilWoken();
    const claim = { afterId: this.#cursor, bit, project, limit: CLAIM_ROWS, maxBytes: CLAIM_BYTES };
    try {
      const claimed = await this.#context.spool.claim(claim);
      this.#cursor = claimed.at(-1)?.id ?? this.#cursor;
      const bestBefore = Date.now() - maxAgeMs;
      this.#queue = claimed.filter(({ receivedAtMs }) => receivedAtMs >= bestBefore);
      this.#settle(
        claimed.filter(({ receivedAtMs }) => receivedAtMs < bestBefore),
        'expired',
      );
      if (claimed.length === 0) await sleep;
    } catch (error) {
      if (!this.#stop.signal.aborted)
        this.#context.log.error({ err: error, sink: this.#options.name }, 'claim_failed');
      await sleep;
    } finally {
      this.#refill = undefined;
    }
  }

  #apply(batch: readonly SpooledEnvelope[], settlements: readonly Settlement[]): void {
    const again = batch.filter((_, index) => (settlements[index]?.outcome ?? 'retry') === 'retry');
    this.#settle(
      batch.filter((_, index) => settlements[index]?.outcome === 'delivered'),
      'delivered',
    );
    this.#settle(
      batch.filter((_, index) => settlements[index]?.outcome === 'refused'),
      'dead_lettered',
    );
    this.#count(settlements);
    if (again.length < batch.length) this.#backoff.reset();
    if (again.length > 0) this.#putBack(again, settlements);
    this.#isProbing = false;
    this.#wake();
  }

  #settle(envelopes: readonly SpooledEnvelope[], fate: Fate): void {
    if (envelopes.length === 0) return;
    this.#context.spool.settle(envelopes.map(({ id }) => ({ id, bits: this.#options.bit, fate })));
  }

  #putBack(again: readonly SpooledEnvelope[], settlements: readonly Settlement[]): void {
    this.#queue = [...again, ...this.#queue].sort((one, other) => one.id - other.id);
    if (this.#pause !== undefined) return;
    const asked = settlements.map((one) => (one.outcome === 'retry' ? (one.retryAfterMs ?? 0) : 0));
    const pauseMs = Math.max(this.#backoff.nextMs(), ...asked);
    this.#pause = delay(pauseMs, undefined, { signal: this.#stop.signal })
      .catch(() => {})
      .finally(() => {
        this.#pause = undefined;
      });
  }

  #count(settlements: readonly Settlement[]): void {
    const sink = this.#options.name;
    for (const settlement of settlements) {
      const reason = settlement.outcome === 'delivered' ? '' : settlement.reason;
      this.#context.metrics.deliveries.inc({ sink, outcome: settlement.outcome, reason });
      if (settlement.outcome === 'delivered') continue;
      const level = settlement.outcome === 'refused' ? 'warn' : 'debug';
      this.#context.log[level]({ sink, reason }, `delivery_${settlement.outcome}`);
    }
  }

  #sleepUntilWoken(): Promise<void> {
    this.#sleep ??= new Promise((resolve) => {
      this.#wake = () => {
        this.#sleep = undefined;
        resolve();
      };
    });
    return this.#sleep;
  }
}
