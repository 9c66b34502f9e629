import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';

/** Busy shares since the call before, 0 to 1. */
export type ReadBusy = () => {
  /** Of the event loop of this thread. */
  readonly loop: number;
  /** Of all cores that this process may use, by all its threads. */
  readonly cores: number;
};

/** A share over less time depends on a single turn of the loop. */
const LOOK_MS = 100;
/** Above it a latency is that of the loop, and more deliveries at once would only wait in it. */
const BUSY = 0.8;

/** This process does not change its affinity or limit while it runs. */
const CORES = availableParallelism();

/** Knows how busy this thread and this process were in the last 100 ms. */
export class BusyMeter {
  readonly #read: ReadBusy;
  readonly #onLook: (busy: number) => void;
  #loop = 0;
  #lookedAtMs = -Infinity;

  /**
   * @param onLook called with the larger share. With one core for all threads the loop waits for the others: it is then
   * never full, although nothing is left of the core.
   */
  constructor(onLook: (busy: number) => void, read: ReadBusy = readBusy()) {
    this.#read = read;
    this.#onLook = onLook;
  }

  get isLoopBusy(): boolean {
    return this.#loop >= BUSY;
  }

  /** Reads the shares again if the last ones are old enough. @param nowMs monotonic clock. */
  look(nowMs: number): void {
    if (nowMs - this.#lookedAtMs < LOOK_MS) return;
    this.#lookedAtMs = nowMs;
    const { loop, cores } = this.#read();
    this.#loop = loop;
    this.#onLook(Math.max(loop, cores));
  }
}

function readBusy(): ReadBusy {
  let loopBefore = performance.eventLoopUtilization();
  let cpuBefore = process.cpuUsage();
  let beforeMs = performance.now();
  return () => {
    const loop = performance.eventLoopUtilization(loopBefore).utilization;
    const { user, system } = process.cpuUsage(cpuBefore);
    const elapsedMs = performance.now() - beforeMs;
    loopBefore = performance.eventLoopUtilization();
    cpuBefore = process.cpuUsage();
    beforeMs = performance.now();
    return { loop, cores: (user + system) / 1_000 / (elapsedMs * CORES) };
  };
}
