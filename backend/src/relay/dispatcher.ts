import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Discard, Fate, LossReason } from '../outcome/outcome.ts';
import type { Refusal } from '../spool/protocol/spool-messages.ts';
import { type QueuedEnvelope, UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import { RampUp } from './ramp-up.ts';
import { holdMs } from './rate-limit-delay.ts';
import { CircuitBreaker, type DispatcherState } from './circuit-breaker.ts';
import type { DispatcherContext, DispatcherOptions } from './dispatcher-options.ts';
import { DispatchQueue } from './dispatch-queue.ts';
import type { DeliveryStats } from './delivery-stats.ts';
import { isIntakeBusy, Pacing } from './pacing.ts';
import type { Settlement } from '../sink/sink.ts';
import { Timers } from './timers.ts';

/** Bytes on their way to a sink at once; above it large envelopes go one after the other. */
const MAX_UNDER_WAY_BYTES = 8 * 2 ** 20;

/** What a lane waits for. */
type Wait = 'pause' | 'drain' | 'held' | 'batch';

/**
 * One sink's way through the spool.
 *
 * As many batches as `concurrency` allows are under way; while the sink fails, one envelope at a time probes it. What
 * it did not take goes to the end: nothing is deleted before its sink has settled it. What an outage left behind goes
 * out paced, beside what comes now.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #context: DispatcherContext;
  readonly #health: CircuitBreaker;
  readonly #queue: DispatchQueue;
  readonly #pace: Pacing;
  readonly #timers = new Timers<Wait>();
  /** Batches. */
  #underWay = 0;
  #whenDone: (() => void) | undefined;
  readonly #record: DeliveryStats;
  #underWayBytes = 0;
  #pausedUntilMs = 0;
  #drain: RampUp | undefined;
  #isClaiming = false;
  #isStarted = false;
  /** First envelope a rate limit holds; a timer looks at it again. */
  #heldFromId: number | undefined;
  #heldUntilMs: number | undefined;
  /** Delivered, and not yet settled on the disk: so many come twice if the process dies now. */
  readonly #unsettled = new Set<number>();

  constructor(options: DispatcherOptions, context: DispatcherContext, record: DeliveryStats) {
    this.#options = options;
    this.#context = context;
    this.#record = record;
    this.#health = new CircuitBreaker(options);
    this.#queue = new DispatchQueue(context.spool, options);
    this.#pace = new Pacing(options);
  }

  get state(): DispatcherState {
    return this.#health.state;
  }

  start(): void {
    this.#isStarted = true;
    this.#pump();
  }

  /** Envelopes were committed. */
  appended(envelopes: readonly QueuedEnvelope[]): void {
    this.#queue.offer(envelopes, this.#isStarted && this.state === 'flowing');
    this.#pump();
  }

  settled(done: readonly { readonly id: number; readonly bits: number }[]): void {
    for (const { id, bits } of done) {
      if ((bits & this.#options.bit) === 0) continue;
      this.#queue.release(id);
      this.#unsettled.delete(id);
    }
    this.#pump();
  }

  forget(ids: ReadonlySet<number>): void {
    this.#queue.forget(ids);
  }

  /** There may be envelopes on the disk up to this id that were not appended here. */
  grown(lastId: number): void {
    this.#queue.grow(lastId);
    this.#pump();
  }

  /** Ends after the deliveries under way, or when they take too long; what is not settled stays in the spool. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStarted = false;
    this.#timers.clear();
    if (this.#underWay === 0) return;
    const areDone = new Promise<void>((resolve) => {
      this.#whenDone = resolve;
    });
    await Promise.race([areDone, delay(timeoutMs, undefined, { ref: false })]);
  }

  /** Puts as much under way as may be. */
  #pump(): void {
    while (
      this.#isStarted &&
      this.#underWay < this.#limit() &&
      this.#underWay + this.#unsettled.size < this.#options.maxUnsettled &&
      this.#underWayBytes < MAX_UNDER_WAY_BYTES &&
      performance.now() >= this.#pausedUntilMs
    ) {
      const batch = this.#next();
      if (batch.length === 0) return;
      this.#pace.began();
      void this.#deliver(batch);
    }
  }

  /** Batches that may be under way now. */
  #limit(): number {
    return this.state === 'flowing' && !isIntakeBusy(this.#context.spool) ? this.#options.concurrency : 1;
  }

  #next(): readonly QueuedEnvelope[] {
    if (this.#queue.wantsClaim) this.#claim();
    const max = this.state === 'flowing' ? this.#options.sink.maxBatch : 1;
    if (this.#isWaiting(max)) return [];
    if (this.#drain === undefined) return this.#queue.take(max, 'both');
    return this.#nextWhileDraining(this.#drain, max);
  }

  /** Whether the next batch is not due yet; it is looked at again then. */
  #isWaiting(max: number): boolean {
    const { size } = this.#queue;
    if (size === 0) return false;
    const waitMs = this.#pace.waitMs(size >= max, this.#context.spool);
    if (waitMs > 0 && !this.#timers.has('batch')) this.#after('batch', waitMs);
    return waitMs > 0;
  }

  /** The backlog when its next one is due, else what is fresh. */
  #nextWhileDraining(drain: RampUp, max: number): readonly QueuedEnvelope[] {
    const nowMs = performance.now();
    if (this.#queue.isCaughtUp) this.#drain = undefined;
    if (!this.#queue.hasBacklog) return this.#queue.take(max, 'fresh');
    const waitMs = drain.waitMs(nowMs);
    if (waitMs > 0) {
      this.#after('drain', waitMs);
      return this.#queue.take(max, 'fresh');
    }
    drain.sent(nowMs);
    return this.#queue.take(1, 'backlog');
  }

  #claim(): void {
    if (this.#isClaiming) return;
    this.#isClaiming = true;
    this.#queue
      .claim()
      .catch((error: unknown) => {
        this.#context.log.error({ err: error, sink: this.#options.name }, 'claim_failed');
        this.#pause(this.#options.backoff.minMs);
      })
      .finally(() => {
        this.#isClaiming = false;
        this.#pump();
      });
  }

  async #deliver(batch: readonly QueuedEnvelope[]): Promise<void> {
    const bytes = batch.reduce((sum, { items }) => sum + items.length, 0);
    const begunAtMs = performance.now();
    this.#underWay += 1;
    this.#underWayBytes += bytes;
    const settlements = await this.#options.sink.deliver(batch);
    this.#underWay -= 1;
    this.#underWayBytes -= bytes;
    this.#pace.ended(performance.now() - begunAtMs);
    for (const [index, envelope] of batch.entries()) {
      const settlement = settlements[index];
      if (settlement !== undefined) this.#apply(envelope, settlement);
    }
    if (this.#underWay === 0) this.#whenDone?.();
    this.#pump();
  }

  #apply(envelope: QueuedEnvelope, settlement: Settlement): void {
    const { id } = envelope;
    switch (settlement.outcome) {
      case 'delivered':
        this.#took(id);
        this.#delivered(envelope, settlement.digest, settlement.cut ?? []);
        return;
      case 'refused':
        this.#took(id);
        this.#refuse(id, settlement.reason, { status: settlement.status, detail: settlement.detail });
        return;
      case 'dropped':
        if (settlement.wasSent) this.#took(id);
        this.#lose(id, 'shed', 'ratelimit_backoff', !settlement.wasSent, null);
        this.#record.dropped(id);
        return;
      case 'held':
        if (settlement.wasSent) this.#took(id);
        this.#record.held(id, settlement.wasSent);
        this.#hold(id, settlement.untilMs);
        return;
      case 'retry':
        this.#retry(envelope, settlement);
    }
  }

  #delivered(envelope: QueuedEnvelope, digest: string | null, cut: readonly Discard[]): void {
    const { id } = envelope;
    const { bit } = this.#options;
    const { spool } = this.#context;
    if (cut.length > 0) spool.settle({ id, bits: 0, fate: 'delivered', loss: null, digest: null, cut });
    this.#unsettled.add(id);
    spool.deliver({ id, bits: bit, digest });
    this.#record.delivered(envelope);
  }

  #refuse(id: number, reason: string, refusal: Refusal): void {
    // What only the store cannot keep is no loss of the upstream's.
    const isUpstream = this.#options.bit === UPSTREAM_BIT;
    this.#lose(id, 'dead_lettered', isUpstream ? 'send_error' : 'unstorable', isUpstream, refusal);
    this.#record.refused(id, reason);
    this.#context.log.warn({ sink: this.#options.name, reason }, 'delivery_refused');
  }

  #lose(id: number, fate: Fate, reason: LossReason, isReported: boolean, refusal: Refusal | null): void {
    const loss = { reason, isReported, refusal };
    this.#context.spool.settle({ id, bits: this.#options.bit, fate, loss, digest: null, cut: [] });
  }

  /** A rate limit holds it: it waits on the disk, and others go by. */
  #hold(id: number, untilMs: number): void {
    this.#queue.release(id);
    this.#heldFromId = Math.min(this.#heldFromId ?? id, id);
    if (this.#heldUntilMs !== undefined && this.#heldUntilMs <= untilMs) return;
    this.#heldUntilMs = untilMs;
    // The one that ends first; what is still limited then is held again.
    this.#after('held', holdMs(untilMs), () => {
      const fromId = this.#heldFromId;
      this.#heldFromId = undefined;
      this.#heldUntilMs = undefined;
      if (fromId !== undefined) this.#queue.rewind(fromId);
    });
  }

  #retry(
    envelope: QueuedEnvelope,
    { scope, reason, retryAfterMs }: Extract<Settlement, { outcome: 'retry' }>,
  ): void {
    const before = this.state;
    const verdict = this.#health.failed(envelope.id, scope, performance.now());
    if (verdict === 'give_up') {
      this.#refuse(envelope.id, reason, { status: null, detail: `given up after repeated ${reason}` });
      return;
    }
    this.#queue.putBack(envelope);
    this.#queue.spill();
    this.#record.retried(envelope.id, reason);
    const pauseMs = Math.max(verdict, retryAfterMs ?? 0);
    if (pauseMs > 0) this.#pause(pauseMs);
    if (this.state !== before) {
      this.#context.log.warn({ sink: this.#options.name, reason, state: this.state }, 'sink_fails');
    }
  }

  #took(id: number): void {
    const before = this.state;
    const nowMs = performance.now();
    const downMs = this.#health.took(id, nowMs);
    if (before === 'flowing') return;
    this.#pausedUntilMs = 0;
    this.#context.log.info({ sink: this.#options.name, downMs: Math.round(downMs) }, 'sink_is_back');
    if (downMs >= this.#options.outageAfterMs && Number.isFinite(this.#options.maxRate)) {
      this.#drain = new RampUp(this.#options.maxRate, nowMs);
    }
  }

  #pause(pauseMs: number): void {
    const nowMs = performance.now();
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + pauseMs);
    this.#after('pause', this.#pausedUntilMs - nowMs);
  }

  /** Looks again after a while. */
  #after(kind: Wait, waitMs: number, first: () => void = () => {}): void {
    if (!this.#isStarted) return;
    this.#timers.set(kind, waitMs, () => {
      first();
      this.#pump();
    });
  }
}
