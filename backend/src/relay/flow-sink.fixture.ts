import type { Settlement } from '../sink/sink.ts';
import { backoffMs } from '../time/backoff.ts';
import type { FlowControl, FlowSink } from './flow-control.ts';
import type { VirtualMachine, VirtualThread } from './flow-machine.fixture.ts';
import { InFlight } from './in-flight.ts';
import { RampUp } from './ramp-up.ts';

/** Processor time, ms: measured for an error of 3 KiB. */
const COST = {
  start: 0.038,
  ended: 0.026,
  packBatch: 0.05,
  pack: 0.009,
  storeBatch: 0.8,
  store: 0.1,
  timer: 0.004,
};
const ENVELOPE_BYTES = 3 * 1024;
const MAX_BATCH = 128;
const BATCH_INTERVAL_MS = 40;
const MAX_FRESH = 1_024;
const LOW_WATER = 64;
const READ_ROWS = 80;
const MAX_RATE = 200;
const OUTAGE_AFTER_MS = 10_000;
/** Envelopes that wait, from which a backlog is one. */
const CAUGHT_UP_BELOW = 50;
const BACKOFF = { minMs: 500, maxMs: 60_000 };

const DELIVERED: readonly Settlement[] = [{ outcome: 'delivered', digest: null }];
const FAILED: readonly Settlement[] = [
  { outcome: 'retry', reason: 'connection_lost', retryAfterMs: null, scope: 'connection' },
];

/** An upstream. */
export interface UpstreamModel {
  /** Time until its answer, ms. */
  readonly latencyMs?: number;
  readonly isDown?: (atMs: number) => boolean;
  /** Envelopes that it answers in a second. */
  readonly perSecond?: number;
  /** The project that it is for; all without it. */
  readonly project?: number;
}

/** The parts of the process that a sink works with. */
interface SinkContext {
  readonly machine: VirtualMachine;
  readonly main: VirtualThread;
  readonly store: VirtualThread;
  readonly flow: FlowControl;
  readonly random: () => number;
  /** Uses processor time of the main thread, now. */
  readonly work: (costMs: number) => void;
  /** Reads rows from the disk. */
  readonly read: (rows: number, onRead: () => void) => void;
  readonly settle: (sink: SinkModel, envelopes: number) => void;
}

/** A dispatcher with its upstream, or with the store: real limits, a model of its queue and of the circuit breaker. */
export class SinkModel implements FlowSink {
  readonly isLocal: boolean;
  offered = 0;
  delivered = 0;
  settled = 0;
  /** Envelopes that were sent in each second. */
  readonly sent: number[] = [];
  readonly #context: SinkContext;
  readonly #upstream: UpstreamModel;
  readonly #most: number;
  readonly #inFlight: InFlight;
  readonly #rampUp = new RampUp(MAX_RATE);
  #memory = 0;
  #behind = 0;
  #isReading = false;
  #isFlowing = true;
  #failures = 0;
  #failingSinceMs = 0;
  #pausedUntilMs = 0;
  #nextBatchAtMs = 0;
  #isTimerSet = false;
  /** When the upstream has answered all before. */
  #freeAtMs = 0;

  /** @param upstream null for the store. */
  constructor(upstream: UpstreamModel | null, context: SinkContext) {
    this.isLocal = upstream === null;
    this.#upstream = upstream ?? {};
    this.#context = context;
    this.#most = this.isLocal ? MAX_BATCH : 1;
    this.#inFlight = new InFlight({ concurrency: this.isLocal ? 1 : 512, isAdaptive: !this.isLocal });
  }

  get window(): number {
    return this.#inFlight.limit;
  }

  get isFlowing(): boolean {
    return this.#isFlowing;
  }

  get queued(): number {
    return this.offered - this.delivered;
  }

  isFor(project: number): boolean {
    return (this.#upstream.project ?? project) === project;
  }

  /** Queues envelopes of a commit. */
  committed(envelopes: number): void {
    this.offered += envelopes;
    const fits = this.#isFlowing && this.#behind === 0 ? Math.min(envelopes, MAX_FRESH - this.#memory) : 0;
    this.#memory += Math.max(0, fits);
    this.#behind += envelopes - Math.max(0, fits);
    this.#context.flow.committed(this, envelopes);
  }

  pump(): void {
    if (!this.#isFlowing) {
      this.#probe();
      return;
    }
    while (this.#isFlowing && this.#inFlight.hasRoom(this.delivered - this.settled)) {
      this.#read();
      const envelopes = this.#next();
      if (envelopes === 0) return;
      this.#memory -= envelopes;
      this.#start(envelopes);
    }
  }

  /** Size of the next batch; 0 if there is none or it has to wait. */
  #next(): number {
    const { flow, machine } = this.#context;
    if (this.#memory === 0) return 0;
    const isFull = this.#memory >= this.#most || this.#behind > 0;
    const restMs = Math.max(isFull ? 0 : this.#nextBatchAtMs - machine.nowMs, flow.restMs(this));
    if (restMs > 0) this.#later(restMs);
    if (restMs > 0 || !flow.mayStart(this)) return 0;
    if (this.#memory + this.#behind < CAUGHT_UP_BELOW) this.#rampUp.end();
    const rampMs = this.#rampUp.isActive ? this.#rampUp.waitMs(machine.nowMs) : 0;
    if (rampMs > 0) this.#later(rampMs);
    return rampMs > 0 ? 0 : Math.min(this.#most, this.#memory);
  }

  #read(): void {
    if (this.#isReading || this.#behind === 0 || this.#memory >= LOW_WATER) return;
    this.#isReading = true;
    this.#context.read(READ_ROWS, () => {
      const rows = Math.min(READ_ROWS, this.#behind);
      this.#isReading = false;
      this.#behind -= rows;
      this.#memory += rows;
      this.pump();
    });
  }

  #start(envelopes: number): void {
    const { flow, machine, main, store, work } = this.#context;
    const startedAtMs = machine.nowMs;
    const second = Math.floor(startedAtMs / 1_000);
    this.sent[second] = (this.sent[second] ?? 0) + envelopes;
    this.#nextBatchAtMs = startedAtMs + (this.isLocal ? BATCH_INTERVAL_MS : 0);
    this.#inFlight.started(envelopes * ENVELOPE_BYTES);
    this.#rampUp.sent(startedAtMs);
    flow.started(this, envelopes);
    work(this.isLocal ? COST.packBatch + envelopes * COST.pack : COST.start);
    const end = (isAccepted: boolean) => (): void =>
      main.push(COST.ended, () => this.#ended(envelopes, startedAtMs, isAccepted));
    if (this.isLocal) store.push(COST.storeBatch + envelopes * COST.store, end(true));
    else if (this.#upstream.isDown?.(startedAtMs) === true) machine.after(1, end(false));
    else machine.after(this.#answersAfterMs(), end(true));
  }

  #answersAfterMs(): number {
    const { machine, random } = this.#context;
    const { latencyMs = 2, perSecond = Infinity } = this.#upstream;
    this.#freeAtMs = Math.max(this.#freeAtMs, machine.nowMs) + 1_000 / perSecond;
    return latencyMs * (0.9 + 0.2 * random()) + this.#freeAtMs - machine.nowMs;
  }

  #ended(envelopes: number, startedAtMs: number, isAccepted: boolean): void {
    const { flow, machine, settle } = this.#context;
    const { nowMs } = machine;
    const unsettled = this.delivered - this.settled;
    const settlements = isAccepted ? DELIVERED : FAILED;
    const isMoreWaiting = this.#memory + this.#behind > 0;
    const sent = { bytes: envelopes * ENVELOPE_BYTES, startedAtMs };
    this.#inFlight.ended(sent, { settlements, nowMs, unsettled, isMoreWaiting });
    flow.ended(this, nowMs - startedAtMs);
    if (isAccepted) {
      if (!this.#isFlowing && nowMs - this.#failingSinceMs >= OUTAGE_AFTER_MS) this.#rampUp.start(nowMs);
      this.#isFlowing = true;
      this.#failures = 0;
      this.delivered += envelopes;
      settle(this, envelopes);
    } else this.#failed(envelopes, nowMs);
    this.pump();
  }

  #failed(envelopes: number, nowMs: number): void {
    this.#behind += envelopes + this.#memory;
    this.#memory = 0;
    if (this.#isFlowing) this.#failingSinceMs = nowMs;
    this.#isFlowing = false;
    this.#rampUp.end();
    if (this.#pausedUntilMs > nowMs) return;
    this.#failures += 1;
    const pauseMs = backoffMs(this.#failures, BACKOFF, this.#context.random);
    this.#pausedUntilMs = nowMs + pauseMs;
    this.#later(pauseMs);
  }

  #probe(): void {
    if (!this.#inFlight.isEmpty || this.#context.machine.nowMs < this.#pausedUntilMs || this.#behind === 0)
      return;
    this.#behind -= 1;
    this.#start(1);
  }

  /** Pumps again after a time, as a timer of Node does: up to 1 ms late. */
  #later(delayMs: number): void {
    if (this.#isTimerSet) return;
    this.#isTimerSet = true;
    this.#context.machine.after(delayMs + 1, () => {
      this.#isTimerSet = false;
      this.#context.main.push(COST.timer, () => this.pump());
    });
  }
}
