import type { SinkState } from '../contract/delivery-api.ts';
import { CRITICAL } from '../envelope/envelope-class.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { SettledBits } from '../spool/spool-listeners.ts';
import { REAL_TIME, type TimeSource } from '../time/time-source.ts';
import { BatchSource } from './batch-source.ts';
import { MIN_HOLD_MS, RateLimitHold } from './rate-limit-hold.ts';
import { CircuitBreaker, type SinkHealth } from './circuit-breaker.ts';
import type { DispatcherContext, DispatcherOptions } from './dispatcher-options.ts';
import { DispatchQueue } from './dispatch-queue.ts';
import type { DeliveryStats } from './delivery-stats.ts';
import type { Settlement } from '../sink/sink.ts';
import { FailedEnvelopes } from './failed-envelopes.ts';
import type { FlowSink } from './flow-control.ts';
import { InFlight } from './in-flight.ts';
import { isOfAll } from './refused-kinds.ts';
import { QueueReader } from './queue-reader.ts';
import { SettlementRecorder } from './settlement-recorder.ts';
import { type DispatchTimer, Timers } from './timers.ts';

/**
 * Delivers the spool's envelopes to one sink.
 *
 * Up to `concurrency` batches are in flight, at an upstream as many as its latency needs (in-flight.ts). A failed envelope
 * waits for a next try of its own, and the others go on. While the sink fails, one envelope at a time probes it (see
 * queue-reader.ts). No envelope is deleted before its sink has settled it. The backlog of an outage is sent at a limited
 * rate, next to fresh envelopes.
 */
export class Dispatcher implements FlowSink {
  readonly isLocal: boolean;
  readonly #options: DispatcherOptions;
  readonly #context: DispatcherContext;
  readonly #circuitBreaker: CircuitBreaker;
  readonly #failed: FailedEnvelopes;
  readonly #queue: DispatchQueue;
  readonly #reader: QueueReader;
  readonly #recorder: SettlementRecorder;
  readonly #batches: BatchSource;
  readonly #time: TimeSource;
  readonly #timers: Timers;
  readonly #inFlight: InFlight;
  readonly #stats: DeliveryStats;
  #isStarted = false;
  #onPumped: () => void = () => {};
  readonly #rateLimitHold: RateLimitHold;

  constructor(options: DispatcherOptions, context: DispatcherContext, stats: DeliveryStats) {
    this.isLocal = !options.isAdaptive;
    this.#options = options;
    this.#context = context;
    this.#stats = stats;
    this.#time = context.time ?? REAL_TIME;
    this.#timers = new Timers(this.#time.startTimer);
    this.#inFlight = new InFlight(options);
    this.#circuitBreaker = new CircuitBreaker(options, context.random);
    this.#failed = new FailedEnvelopes(options.backoff, context.random);
    const maySend = (one: QueuedEnvelope): boolean => this.#isStarted && this.#circuitBreaker.maySend(one);
    this.#queue = new DispatchQueue(context.spool, options, this.#failed, maySend);
    this.#reader = new QueueReader(this.#queue, this.#failed, {
      isFlowing: () => this.state === 'flowing',
      nowMs: this.#time.nowMs,
      maxRate: options.maxRate,
      onWait: (waitMs) => this.#after('failed', waitMs),
      onGone: (id) => this.#rateLimitHold.end(id),
      onFailure: (error) => {
        context.log.error({ err: error, sink: options.name }, 'spool_read_failed');
        this.#pause(options.backoff.minMs);
      },
      onEnd: () => {
        this.#batches.resume();
        this.pump();
      },
    });
    this.#rateLimitHold = new RateLimitHold(this.#queue, this.#failed, this.#after.bind(this, 'rate_limit'));
    this.#batches = new BatchSource(this.#queue, options, {
      flow: context.flow,
      sink: this,
      time: this.#time,
      after: (kind, waitMs) => {
        if (kind === 'ramp_up' || !this.#timers.has(kind)) this.#after(kind, waitMs);
      },
    });
    this.#recorder = new SettlementRecorder(options, context, stats);
  }

  get state(): SinkState {
    return this.#circuitBreaker.state;
  }

  /** Whether the sink takes all that comes: it does not fail, and no rate limit holds envelopes. */
  get isAccepting(): boolean {
    return this.state === 'flowing' && !this.#rateLimitHold.isHolding;
  }

  /** The health of the sink, and whether envelopes wait for it. */
  get health(): SinkHealth & { readonly isWaiting: boolean; readonly isLimited: boolean } {
    const isWaiting = this.#queue.isWaiting || this.#failed.size > 0 || !this.#inFlight.isEmpty;
    const health = this.#circuitBreaker.health(this.#time.nowMs(), this.#time.wallMs(), isWaiting);
    return { ...health, isWaiting, isLimited: this.#rateLimitHold.isHolding };
  }

  /** Most deliveries in flight at present. */
  get window(): number {
    return this.#inFlight.limit;
  }

  start(): void {
    this.#isStarted = true;
    this.#batches.start();
    this.pump();
  }

  /** Queues envelopes that were just committed, and forgets those whose settlements were. */
  committed(fresh: readonly QueuedEnvelope[], settled: readonly SettledBits[]): void {
    this.#context.flow.committed(this, this.#queue.offer(fresh));
    for (const { id, bits } of settled) {
      if ((bits & this.#options.bit) === 0) continue;
      this.#queue.release(id);
      this.#recorder.settled(id);
    }
    this.pump();
  }

  /** Removes erased envelopes from the queue. A delivery in flight cannot be recalled. */
  forget(ids: ReadonlySet<number>): void {
    this.#queue.forget(ids);
    for (const id of ids) this.#rateLimitHold.end(id);
  }

  /** Announces envelopes on the disk, up to this ID, that were not passed to {@link committed}. */
  advanced(lastId: number): void {
    this.#queue.advance(lastId);
    this.pump();
  }

  /** Tries a sink that fails at once: with one envelope, as after a pause. Returns false if it does not fail. */
  retryNow(): boolean {
    if (this.health.sinceMs === undefined) return false;
    this.#circuitBreaker.endPause();
    this.#failed.putAllBack();
    this.#after('pause', 0);
    return true;
  }

  /** Waits until nothing is left to send at present: a pause, a limit and the next try of a failed envelope are not awaited. */
  async caughtUp(): Promise<void> {
    while (!this.#inFlight.isEmpty || (this.#reader.hasWork && !this.#isPaused))
      await new Promise<void>((resolve) => void (this.#onPumped = resolve));
  }

  /** Waits for the deliveries in flight, at most `timeoutMs`. Envelopes that are not settled stay in the spool. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStarted = false;
    this.#timers.clear();
    await this.#inFlight.idle(timeoutMs);
  }

  /** Starts as many batches as the limits allow. */
  pump(): void {
    while (
      this.#isStarted &&
      (this.#inFlight.isEmpty || this.state === 'flowing') &&
      this.#inFlight.hasRoom(this.#recorder.unsettled) &&
      !this.#isPaused
    ) {
      this.#reader.next();
      const batch = this.#batches.next(this.state === 'flowing' ? this.#options.sink.maxBatch : 'probe');
      if (batch.length === 0) break;
      void this.#deliver(batch);
    }
    this.#onPumped();
  }

  /** Whether all wait for the end of a pause: while the sink fails, those in memory need not. */
  get #isPaused(): boolean {
    if (this.state !== 'flowing' && this.#queue.size > 0) return false;
    return this.#time.nowMs() < this.#circuitBreaker.pausedUntilMs;
  }

  async #deliver(batch: readonly QueuedEnvelope[]): Promise<void> {
    const bytes = batch.reduce((sum, { items }) => sum + items.length, 0);
    const startedAtMs = this.#time.nowMs();
    this.#inFlight.started(bytes);
    const settlements = await this.#options.sink.deliver(batch);
    const nowMs = this.#time.nowMs();
    const { isWaiting: isMoreWaiting } = this.#queue;
    const { unsettled } = this.#recorder;
    this.#inFlight.ended({ bytes, startedAtMs }, { settlements, nowMs, unsettled, isMoreWaiting });
    this.#context.flow.ended(this, nowMs - startedAtMs);
    for (const [index, envelope] of batch.entries()) {
      const settlement = settlements[index];
      if (settlement !== undefined) this.#apply(envelope, settlement);
    }
    this.pump();
  }

  #apply(envelope: QueuedEnvelope, settlement: Settlement): void {
    const { id } = envelope;
    if ('wasSent' in settlement && settlement.wasSent) {
      // The sink answered that it gets too much.
      this.#succeeded();
      this.#batches.slow();
    }
    switch (settlement.outcome) {
      case 'delivered':
        this.#succeeded(envelope);
        this.#failed.accepted(id);
        this.#recorder.delivered(envelope, settlement.digest, settlement.discarded ?? []);
        break;
      case 'refused':
        this.#succeeded();
        this.#failed.forget(id);
        this.#recorder.refused(envelope, settlement.reason, settlement);
        break;
      case 'dropped':
        this.#failed.forget(id);
        this.#recorder.dropped(envelope, settlement.wasSent);
        break;
      case 'held':
        this.#hold(id, settlement);
        return;
      case 'retry':
        this.#retry(envelope, settlement);
    }
    this.#rateLimitHold.end(id);
  }

  /** Leaves an envelope under a rate limit on the disk; other envelopes overtake it. */
  #hold(id: number, { untilMs, wasSent }: Extract<Settlement, { outcome: 'held' }>): void {
    const wallMs = this.#time.wallMs();
    this.#stats.held(id, wasSent);
    this.#queue.release(id);
    if (this.state !== 'flowing') {
      // A probe that was not sent: the next one is another envelope, at once. With too many of them to remember, the same
      // ones would come again.
      if (this.#failed.isFull) this.#pause(this.#options.backoff.minMs);
      this.#failed.wait(id, this.#time.nowMs() + Math.max(untilMs - wallMs, MIN_HOLD_MS));
      this.#rateLimitHold.end(id);
      return;
    }
    this.#rateLimitHold.add(id, untilMs, wallMs);
  }

  #retry(envelope: QueuedEnvelope, settlement: Extract<Settlement, { outcome: 'retry' }>): void {
    const { scope, reason, retryAfterMs, location } = settlement;
    const { id } = envelope;
    const before = this.state;
    const nowMs = this.#time.nowMs();
    const isRepeated = this.#failed.hasFailed(id);
    const { kinds } = this.#circuitBreaker;
    const isOfRefused = envelope.class !== CRITICAL && kinds.has(envelope);
    const mustGo = isOfRefused && !isOfAll(scope) && kinds.isAlone(envelope, nowMs) && this.#failed.isCrowded;
    const isOwnFault = scope === 'refusal' && kinds.isOfBadSender(envelope);
    // A rejection concerns the DSN, and not the envelope, unless all of its kind are rejected.
    const counted = scope === 'dsn' && kinds.isRejected(envelope) ? 'refusal' : scope;
    if (this.#failed.failed(id, counted, retryAfterMs, nowMs, isOwnFault) === 'give_up' || mustGo) {
      this.#failed.forget(id);
      const refusal = settlement.refusal ?? { status: null, detail: `given up after repeated ${reason}` };
      const isKept = !isOfRefused || kinds.takeExample(envelope, nowMs);
      this.#recorder.refused(envelope, reason, isKept ? refusal : null);
      return;
    }
    this.#queue.release(id);
    if (scope === 'sink') this.#batches.slow();
    // Nothing of it was sent: it counts as untried.
    if (scope === 'connection' && !isRepeated) {
      this.#failed.forget(id);
      this.#queue.rewind(id);
    }
    const pauseMs = this.#circuitBreaker.failed({ ...settlement, isRepeated, envelope }, nowMs);
    this.#stats.retried(id, reason);
    if (pauseMs > 0) this.#after('pause', pauseMs);
    if (this.state !== 'flowing') this.#queue.spill();
    if (this.state === before) return;
    this.#context.log.warn({ sink: this.#options.name, reason, location, state: this.state }, 'sink_failing');
  }

  /** The sink answered. @param accepted the envelope that it accepted, if it did. */
  #succeeded(accepted?: QueuedEnvelope): void {
    const before = this.state;
    const nowMs = this.#time.nowMs();
    const downMs = this.#circuitBreaker.succeeded(nowMs, accepted, this.#failed.size);
    if (before === 'flowing') return;
    this.#context.log.info({ sink: this.#options.name, downMs: Math.round(downMs) }, 'sink_recovered');
    this.#batches.recovered(downMs);
  }

  #pause(pauseMs: number): void {
    this.#after('pause', this.#circuitBreaker.pause(pauseMs, this.#time.nowMs()));
  }

  /** Calls `onDue` and starts batches again after `waitMs`. */
  #after(kind: DispatchTimer, waitMs: number, onDue: () => void = () => {}): void {
    if (!this.#isStarted) return;
    this.#timers.set(kind, waitMs, () => {
      onDue();
      this.pump();
    });
  }
}
