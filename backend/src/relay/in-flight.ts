import { setTimeout as delay } from 'node:timers/promises';
import type { Settlement } from '../sink/sink.ts';
import { Window } from './window.ts';

/** Bytes in flight to one sink above which no further batch starts. */
const MAX_BYTES = 8 * 2 ** 20;
/** Larger envelopes take longer because of their size, whatever the upstream does. */
const MAX_JUDGED_BYTES = 64 * 1024;

/** Limits of the deliveries of one dispatcher. */
export interface InFlightOptions {
  /** Most batches in flight. */
  readonly concurrency: number;
  /**
   * Whether the latency of the sink decides how many of `concurrency` are used, and deliveries without a settlement on
   * disk count: so many are delivered twice after a crash. For sinks that do not recognise a repeat.
   */
  readonly isAdaptive: boolean;
}

/** A batch that was sent. */
interface Sent {
  readonly bytes: number;
  /** Monotonic clock. */
  readonly startedAtMs: number;
}

/** The answers to a batch. */
interface Ended {
  readonly settlements: readonly Settlement[];
  readonly nowMs: number;
  /** Deliveries without a settlement on disk, before these. */
  readonly unsettled: number;
  readonly isMoreWaiting: boolean;
}

/** Counts the batches in flight to one sink and decides whether another one may start. */
export class InFlight {
  readonly #options: InFlightOptions;
  readonly #window: Window | null;
  #batches = 0;
  #bytes = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: InFlightOptions) {
    this.#options = options;
    this.#window = options.isAdaptive ? new Window(options.concurrency) : null;
  }

  get isEmpty(): boolean {
    return this.#batches === 0;
  }

  /** Resolves when no batch is in flight, after `timeoutMs` at the latest. */
  async idle(timeoutMs: number): Promise<void> {
    if (this.isEmpty) return;
    const isIdle = new Promise<void>((resolve) => void (this.#onIdle = resolve));
    await Promise.race([isIdle, delay(timeoutMs, undefined, { ref: false })]);
  }

  /** Most batches in flight at present; with a window also of deliveries without a settlement on disk. */
  get limit(): number {
    return this.#window === null ? this.#options.concurrency : this.#window.size;
  }

  /** Reports whether another batch may start. @param unsettled deliveries without a settlement on disk. */
  hasRoom(unsettled: number): boolean {
    return this.#count(unsettled) < this.limit && this.#bytes < MAX_BYTES;
  }

  started(bytes: number): void {
    this.#batches += 1;
    this.#bytes += bytes;
  }

  ended({ bytes, startedAtMs }: Sent, { settlements, nowMs, unsettled, isMoreWaiting }: Ended): void {
    const isLimit = isMoreWaiting && this.#count(unsettled) >= this.limit;
    this.#batches -= 1;
    this.#bytes -= bytes;
    if (this.isEmpty) this.#onIdle?.();
    if (this.#window === null) return;
    if (settlements.some(showsOverload)) this.#window.failed(startedAtMs, nowMs);
    else if (bytes <= MAX_JUDGED_BYTES && settlements.every(isAnswer))
      this.#window.answered({ startedAtMs, nowMs, isLimit });
  }

  #count(unsettled: number): number {
    return this.#window === null ? this.#batches : this.#batches + unsettled;
  }
}

/** Whether the sink gets too much, or did not answer. A 500 may be the fault of its envelope. */
function showsOverload(settlement: Settlement): boolean {
  if (settlement.outcome === 'retry') return settlement.scope === 'sink' || settlement.scope === 'connection';
  return (settlement.outcome === 'held' || settlement.outcome === 'dropped') && settlement.wasSent;
}

function isAnswer({ outcome }: Settlement): boolean {
  return outcome === 'delivered' || outcome === 'refused';
}
