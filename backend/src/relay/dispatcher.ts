import { setTimeout as delay } from 'node:timers/promises';
import type { Discard, LossReason } from '../outcome/outcome.ts';
import type { Refusal, SettledEnvelope } from '../spool/protocol/spool-messages.ts';
import { type QueuedEnvelope, UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import { REAL_TIME, type TimeSource } from '../time/time-source.ts';
import { RampUp } from './ramp-up.ts';
import { RateLimitHold } from './rate-limit-hold.ts';
import { CircuitBreaker, type DispatcherState } from './circuit-breaker.ts';
import type { DispatcherContext, DispatcherOptions } from './dispatcher-options.ts';
import { DispatchQueue } from './dispatch-queue.ts';
import type { DeliveryStats } from './delivery-stats.ts';
import { isIntakeBusy, Pacing } from './pacing.ts';
import type { Settlement } from '../sink/sink.ts';
import { Timers } from './timers.ts';

/** Bytes in flight to one sink above which no further batch starts. */
const MAX_IN_FLIGHT_BYTES = 8 * 2 ** 20;

/** Reasons for a timer: pause after a failure, rate of the backlog, rate limit, size of the next batch. */
type DispatchTimer = 'pause' | 'ramp_up' | 'rate_limit' | 'batch';

/**
 * Delivers the spool's envelopes to one sink.
 *
 * Up to `concurrency` batches are in flight; while the sink fails, one envelope at a time probes it. A failed envelope
 * goes to the end of the queue: no envelope is deleted before its sink has settled it. The backlog of an outage is sent
 * at a limited rate, next to fresh envelopes.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #context: DispatcherContext;
  readonly #circuitBreaker: CircuitBreaker;
  readonly #queue: DispatchQueue;
  readonly #pacing: Pacing;
  readonly #time: TimeSource;
  readonly #timers: Timers<DispatchTimer>;
  #batchesInFlight = 0;
  #onIdle: (() => void) | undefined;
  readonly #stats: DeliveryStats;
  #bytesInFlight = 0;
  #pausedUntilMs = 0;
  #rampUp: RampUp | undefined;
  #isReading = false;
  #isStarted = false;
  readonly #rateLimitHold = new RateLimitHold();
  /** Delivered envelopes without a settlement on disk: a crash now delivers them twice. */
  readonly #unsettled = new Set<number>();

  constructor(options: DispatcherOptions, context: DispatcherContext, stats: DeliveryStats) {
    this.#options = options;
    this.#context = context;
    this.#stats = stats;
    this.#time = context.time ?? REAL_TIME;
    this.#timers = new Timers(this.#time.startTimer);
    this.#circuitBreaker = new CircuitBreaker(options);
    this.#queue = new DispatchQueue(context.spool, options);
    this.#pacing = new Pacing(options);
  }

  get state(): DispatcherState {
    return this.#circuitBreaker.state;
  }

  start(): void {
    this.#isStarted = true;
    this.#pump();
  }

  /** Queues envelopes that were just committed. */
  appended(envelopes: readonly QueuedEnvelope[]): void {
    this.#queue.offer(envelopes, this.#isStarted && this.state === 'flowing');
    this.#pump();
  }

  /** Forgets envelopes whose settlements were just committed. */
  settled(done: readonly { readonly id: number; readonly bits: number }[]): void {
    for (const { id, bits } of done) {
      if ((bits & this.#options.bit) === 0) continue;
      this.#queue.release(id);
      this.#unsettled.delete(id);
    }
    this.#pump();
  }

  /** Removes erased envelopes from the queue. A delivery in flight cannot be recalled. */
  forget(ids: ReadonlySet<number>): void {
    this.#queue.forget(ids);
  }

  /** Announces envelopes on the disk, up to this ID, that were not passed to {@link appended}. */
  advanced(lastId: number): void {
    this.#queue.advance(lastId);
    this.#pump();
  }

  /** Waits for the deliveries in flight, at most `timeoutMs`. Envelopes that are not settled stay in the spool. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStarted = false;
    this.#timers.clear();
    if (this.#batchesInFlight === 0) return;
    const isIdle = new Promise<void>((resolve) => void (this.#onIdle = resolve));
    await Promise.race([isIdle, delay(timeoutMs, undefined, { ref: false })]);
  }

  /** Starts as many batches as the limits allow. */
  #pump(): void {
    while (
      this.#isStarted &&
      this.#batchesInFlight < this.#maxBatches() &&
      this.#batchesInFlight + this.#unsettled.size < this.#options.maxUnsettled &&
      this.#bytesInFlight < MAX_IN_FLIGHT_BYTES &&
      this.#time.nowMs() >= this.#pausedUntilMs
    ) {
      const batch = this.#next();
      if (batch.length === 0) return;
      this.#pacing.started();
      void this.#deliver(batch);
    }
  }

  /** Returns the highest number of batches in flight at present. */
  #maxBatches(): number {
    return this.state === 'flowing' && !isIntakeBusy(this.#context.spool) ? this.#options.concurrency : 1;
  }

  #next(): readonly QueuedEnvelope[] {
    if (this.#queue.needsRead) this.#read();
    const max = this.state === 'flowing' ? this.#options.sink.maxBatch : 1;
    if (this.#isWaiting(max)) return [];
    if (this.#rampUp === undefined) return this.#queue.dequeue(max, 'both');
    return this.#nextWhileRampingUp(this.#rampUp, max);
  }

  /** Reports whether the next batch has to wait; a timer then tries again. */
  #isWaiting(max: number): boolean {
    const { size } = this.#queue;
    if (size === 0) return false;
    const waitMs = this.#pacing.waitMs(size >= max, this.#context.spool);
    if (waitMs > 0 && !this.#timers.has('batch')) this.#after('batch', waitMs);
    return waitMs > 0;
  }

  /** Returns an envelope of the backlog if one is due, otherwise fresh envelopes. */
  #nextWhileRampingUp(rampUp: RampUp, max: number): readonly QueuedEnvelope[] {
    const nowMs = this.#time.nowMs();
    if (this.#queue.isCaughtUp) this.#rampUp = undefined;
    if (!this.#queue.hasBacklog) return this.#queue.dequeue(max, 'fresh');
    const waitMs = rampUp.waitMs(nowMs);
    if (waitMs > 0) {
      this.#after('ramp_up', waitMs);
      return this.#queue.dequeue(max, 'fresh');
    }
    rampUp.sent(nowMs);
    return this.#queue.dequeue(1, 'backlog');
  }

  #read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    const failed = (error: unknown): void => {
      this.#context.log.error({ err: error, sink: this.#options.name }, 'spool_read_failed');
      this.#pause(this.#options.backoff.minMs);
    };
    const done = (): void => {
      this.#isReading = false;
      this.#pump();
    };
    this.#queue.read().catch(failed).finally(done);
  }

  async #deliver(batch: readonly QueuedEnvelope[]): Promise<void> {
    const bytes = batch.reduce((sum, { items }) => sum + items.length, 0);
    const startedAtMs = this.#time.nowMs();
    this.#batchesInFlight += 1;
    this.#bytesInFlight += bytes;
    const settlements = await this.#options.sink.deliver(batch);
    this.#batchesInFlight -= 1;
    this.#bytesInFlight -= bytes;
    this.#pacing.ended(this.#time.nowMs() - startedAtMs);
    for (const [index, envelope] of batch.entries()) {
      const settlement = settlements[index];
      if (settlement !== undefined) this.#apply(envelope, settlement);
    }
    if (this.#batchesInFlight === 0) this.#onIdle?.();
    this.#pump();
  }

  #apply(envelope: QueuedEnvelope, settlement: Settlement): void {
    const { id } = envelope;
    switch (settlement.outcome) {
      case 'delivered':
        this.#succeeded(id);
        this.#delivered(envelope, settlement.digest, settlement.discarded ?? []);
        return;
      case 'refused':
        this.#succeeded(id);
        this.#refuse(id, settlement.reason, { status: settlement.status, detail: settlement.detail });
        return;
      case 'dropped':
        if (settlement.wasSent) this.#succeeded(id);
        this.#lose(id, 'shed', 'ratelimit_backoff', !settlement.wasSent, null);
        this.#stats.dropped(id);
        return;
      case 'held':
        if (settlement.wasSent) this.#succeeded(id);
        this.#stats.held(id, settlement.wasSent);
        this.#hold(id, settlement.untilMs);
        return;
      case 'retry':
        this.#retry(envelope, settlement);
    }
  }

  #delivered(envelope: QueuedEnvelope, digest: string | null, discarded: readonly Discard[]): void {
    const { id, project } = envelope;
    const { spool } = this.#context;
    this.#unsettled.add(id);
    const cut = discarded.map((items) => ({ project, ...items }));
    spool.deliver({ id, bits: this.#options.bit, digest }, cut);
    this.#stats.delivered(envelope);
  }

  #refuse(id: number, reason: string, refusal: Refusal): void {
    // The upstream does not lose an envelope that only the store refuses.
    const isUpstream = this.#options.bit === UPSTREAM_BIT;
    this.#lose(id, 'dead_lettered', isUpstream ? 'send_error' : 'unstorable', isUpstream, refusal);
    this.#stats.refused(id, reason);
    this.#context.log.warn({ sink: this.#options.name, reason }, 'delivery_refused');
  }

  #lose(
    id: number,
    fate: SettledEnvelope['fate'],
    reason: LossReason,
    isReported: boolean,
    refusal: Refusal | null,
  ): void {
    const loss = { reason, isReported, refusal };
    this.#context.spool.settle({ id, bits: this.#options.bit, fate, loss });
  }

  /** Leaves an envelope under a rate limit on the disk; other envelopes overtake it. */
  #hold(id: number, untilMs: number): void {
    this.#queue.release(id);
    const delayMs = this.#rateLimitHold.add(id, untilMs, this.#time.wallMs());
    if (delayMs === undefined) return;
    this.#after('rate_limit', delayMs, () => {
      const fromId = this.#rateLimitHold.end();
      if (fromId !== undefined) this.#queue.rewind(fromId);
    });
  }

  #retry(
    envelope: QueuedEnvelope,
    { scope, reason, retryAfterMs }: Extract<Settlement, { outcome: 'retry' }>,
  ): void {
    const before = this.state;
    const verdict = this.#circuitBreaker.failed(envelope.id, scope, this.#time.nowMs());
    if (verdict === 'give_up') {
      this.#refuse(envelope.id, reason, { status: null, detail: `given up after repeated ${reason}` });
      return;
    }
    this.#queue.requeue(envelope);
    this.#queue.spill();
    this.#stats.retried(envelope.id, { reason, scope }, this.#circuitBreaker.rejectionsInRow);
    const pauseMs = Math.max(verdict, retryAfterMs ?? 0);
    if (pauseMs > 0) this.#pause(pauseMs);
    if (this.state !== before) {
      this.#context.log.warn({ sink: this.#options.name, reason, state: this.state }, 'sink_failing');
    }
  }

  #succeeded(id: number): void {
    const before = this.state;
    const nowMs = this.#time.nowMs();
    const downMs = this.#circuitBreaker.succeeded(id, nowMs);
    if (before === 'flowing') return;
    this.#pausedUntilMs = 0;
    this.#context.log.info({ sink: this.#options.name, downMs: Math.round(downMs) }, 'sink_recovered');
    if (downMs >= this.#options.outageAfterMs && Number.isFinite(this.#options.maxRate)) {
      this.#rampUp = new RampUp(this.#options.maxRate, nowMs);
    }
  }

  #pause(pauseMs: number): void {
    const nowMs = this.#time.nowMs();
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + pauseMs);
    this.#stats.paused(this.#pausedUntilMs - nowMs);
    this.#after('pause', this.#pausedUntilMs - nowMs);
  }

  /** Calls `onDue` and starts batches again after `waitMs`. */
  #after(kind: DispatchTimer, waitMs: number, onDue: () => void = () => {}): void {
    if (!this.#isStarted) return;
    this.#timers.set(kind, waitMs, () => {
      onDue();
      this.#pump();
    });
  }
}
