import { performance } from 'node:perf_hooks';

/** Returns the busy share of the event loop since the call before, 0 to 1. */
export type ReadUtilization = () => number;

/** A share over less time depends on a single turn of the loop. */
const LOOK_MS = 100;
/** Above it a latency is that of the loop, and more deliveries at once would only wait in it. */
const BUSY = 0.8;

/** Knows how busy this thread's event loop was in the last 100 ms. */
export class LoopLoad {
  readonly #read: ReadUtilization;
  readonly #onLook: (busy: number) => void;
  #busy = 0;
  #lookedAtMs = -Infinity;

  /** @param onLook called with each new share. */
  constructor(read: ReadUtilization = utilizationOfLoop(), onLook: (busy: number) => void = () => {}) {
    this.#read = read;
    this.#onLook = onLook;
  }

  get isBusy(): boolean {
    return this.#busy >= BUSY;
  }

  /** Reads the share anew if the last one is old enough. @param nowMs monotonic clock. */
  look(nowMs: number): void {
    if (nowMs - this.#lookedAtMs < LOOK_MS) return;
    this.#lookedAtMs = nowMs;
    this.#busy = this.#read();
    this.#onLook(this.#busy);
  }
}

function utilizationOfLoop(): ReadUtilization {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
