import type { IncomingMessage } from 'node:http';
import { Slots } from '../time/slots.ts';

/** Least average rate of a body. A phone on a bad line has twice as much; a body at 1 byte a second holds memory. */
export const LEAST_BYTES_PER_SECOND = 8 * 1024;
/** Seconds before the average counts: a connection needs some round trips to reach its rate. */
const START_SECONDS = 5;
/** Longest pause within a body: lost packets are sent again within seconds. */
const MAX_SILENT_SECONDS = 10;
/** Longest time for a body of any size: 20 MiB at 34 KiB a second. */
const MAX_SECONDS = 600;
/** Interval of the checks, which is also the second that they count. */
const SWEEP_MS = 1_000;

/** The part of a request that tells whether the server waits for its client. */
type Receiving = Pick<IncomingMessage, 'complete' | 'readableLength' | 'isPaused'>;

/**
 * Cuts the bodies that arrive too slowly to be worth their memory: under 8 KiB a second on average from the fifth second
 * on, 10 seconds without a byte, or 10 minutes in all. A limit of the time alone would cut honest uploads on slow lines,
 * which SDKs then drop.
 *
 * Time is counted in sweeps, not by a clock: a second in which this process did not run costs no client its body. Bodies
 * that wait unread, those that the server has paused, and those of which bytes lie unread in the process, are not measured.
 */
export class BodyPace {
  readonly #sweepMs: number;
  readonly #bodies = new Slots<PacedBody>();
  #timer: NodeJS.Timeout | undefined;

  constructor(sweepMs = SWEEP_MS) {
    this.#sweepMs = sweepMs;
  }

  /** Measures a body from now on, until `end`. */
  watch(request: Receiving): PacedBody {
    const body = new PacedBody(request, this.#bodies);
    this.#timer ??= setInterval(() => this.sweep(), this.#sweepMs).unref();
    return body;
  }

  /** Counts one second of each body and cuts those that are too slow. */
  sweep(): void {
    for (const body of this.#bodies.all()) body.countSecond();
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** The pace of one body. */
export class PacedBody {
  readonly #request: Receiving;
  readonly #all: Slots<PacedBody>;
  #slot: number;
  #bytes = 0;
  #bytesAtSweep = 0;
  #seconds = 0;
  #silentSeconds = 0;
  /** Called once when the body is too slow. */
  onSlow: (() => void) | undefined;

  constructor(request: Receiving, all: Slots<PacedBody>) {
    this.#request = request;
    this.#all = all;
    this.#slot = all.add(this);
  }

  /** Counts bytes as they were sent. */
  receive(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Ends the measurement. A second call does nothing. */
  end(): void {
    this.#all.remove(this.#slot);
    this.#slot = -1;
  }

  countSecond(): void {
    const { complete, readableLength } = this.#request;
    if (complete || readableLength > 0 || this.#request.isPaused()) return;
    this.#seconds += 1;
    this.#silentSeconds = this.#bytes === this.#bytesAtSweep ? this.#silentSeconds + 1 : 0;
    this.#bytesAtSweep = this.#bytes;
    if (!this.#isTooSlow()) return;
    this.end();
    this.onSlow?.();
  }

  #isTooSlow(): boolean {
    const isBelowRate =
      this.#seconds >= START_SECONDS && this.#bytes < this.#seconds * LEAST_BYTES_PER_SECOND;
    return isBelowRate || this.#silentSeconds >= MAX_SILENT_SECONDS || this.#seconds >= MAX_SECONDS;
  }
}
