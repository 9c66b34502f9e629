import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { TimeSource } from '../time/time-source.ts';
import type { DispatchQueue } from './dispatch-queue.ts';
import type { FlowControl, FlowSink } from './flow-control.ts';
import { RampUp } from './ramp-up.ts';

/** Longest time after which a dispatcher asks again for a batch that is to become larger. */
const MAX_WAIT_MS = 50;

export interface BatchOptions {
  /** Time between the starts of two batches, unless the second one is full, ms. A single envelope is not delayed. */
  readonly batchIntervalMs: number;
  /** Most envelopes per second from the backlog of an outage; Infinity for no limit. */
  readonly maxRate: number;
  /** Shortest outage whose backlog is sent at a limited rate, ms. */
  readonly outageAfterMs: number;
}

interface BatchContext {
  readonly flow: FlowControl;
  readonly sink: FlowSink;
  readonly time: TimeSource;
  /** Asks for the next batch again after a time, ms. */
  readonly after: (kind: 'batch' | 'ramp_up', waitMs: number) => void;
}

/** Takes the batches of a dispatcher from its queue when they are due: by their size, for a rest, at the rate of a backlog. */
export class BatchSource {
  readonly #queue: DispatchQueue;
  readonly #options: BatchOptions;
  readonly #context: BatchContext;
  /** Monotonic clock. */
  #nextBatchAtMs = 0;
  readonly #rampUp: RampUp;
  #isResumed = true;

  constructor(queue: DispatchQueue, options: BatchOptions, context: BatchContext) {
    this.#queue = queue;
    this.#options = options;
    this.#context = context;
    this.#rampUp = new RampUp(options.maxRate);
  }

  /** Call it once the backlog of the process before this one is announced to the queue. */
  start(): void {
    this.#isResumed = !this.#queue.isBehind;
  }

  /** Returns the next batch; empty if there is none or it has to wait. A probe of a sink that fails waits for no other work. */
  next(most: number | 'probe'): readonly QueuedEnvelope[] {
    const { flow, sink, time } = this.#context;
    const max = most === 'probe' ? 1 : most;
    const isAsked = most !== 'probe' && this.#queue.size > 0;
    if (isAsked && (this.#mustWait(max) || !flow.mayStart(sink))) return [];
    const batch = this.#rampUp.isActive ? this.#nextWhileRampingUp(max) : this.#queue.dequeue(max, 'both');
    if (batch.length === 0) return batch;
    this.#nextBatchAtMs = time.nowMs() + this.#options.batchIntervalMs;
    flow.started(sink, batch.length);
    return batch;
  }

  /** The sink accepts envelopes again. The backlog of an outage is sent at a limited rate. */
  recovered(downMs: number): void {
    if (downMs >= this.#options.outageAfterMs) this.#rampUp.start(this.#context.time.nowMs());
  }

  /** After the first read: an old backlog is one of an outage, which the process before this one has seen. */
  resume(): void {
    if (this.#isResumed) return;
    this.#isResumed = true;
    this.recovered(this.#context.time.wallMs() - (this.#queue.oldestReceivedAtMs ?? Infinity));
  }

  /** The sink gets too much, or cannot answer. */
  slow(): void {
    this.#rampUp.slow(this.#context.time.nowMs());
  }

  /** Reports whether the next batch has to wait, to become larger or for a rest; a timer then asks again. A backlog is large already. */
  #mustWait(max: number): boolean {
    const { flow, sink, time, after } = this.#context;
    const isFull = this.#queue.size >= max || this.#queue.hasBacklog;
    const growsMs = isFull ? 0 : Math.min(MAX_WAIT_MS, this.#nextBatchAtMs - time.nowMs());
    const waitMs = Math.max(growsMs, flow.restMs(sink));
    if (waitMs > 0) after('batch', waitMs);
    return waitMs > 0;
  }

  /** Returns an envelope of the backlog if one is due, otherwise fresh envelopes. */
  #nextWhileRampingUp(max: number): readonly QueuedEnvelope[] {
    const nowMs = this.#context.time.nowMs();
    if (this.#queue.isCaughtUp) this.#rampUp.end();
    if (!this.#queue.hasBacklog) return this.#queue.dequeue(max, 'fresh');
    const waitMs = this.#rampUp.waitMs(nowMs);
    if (waitMs > 0) {
      this.#context.after('ramp_up', waitMs);
      return this.#queue.dequeue(max, 'fresh');
    }
    this.#rampUp.sent(nowMs);
    return this.#queue.dequeue(1, 'backlog');
  }
}
