import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** Above this utilisation of the event loop intake counts as busy. */
const BUSY_UTILIZATION = 0.7;
/** How often the utilisation is read; shorter readings are noise. */
const SAMPLE_MS = 100;
/** A sink may use a fifth of the time while intake is busy: after work of t it rests 4 t. */
const REST_FACTOR = 4;
/** Longest rest, so that a long batch does not stall a sink for seconds. */
const MAX_REST_MS = 1_000;

/**
 * Lets the sinks yield to intake: an envelope refused is lost, one delivered later is not.
 */
export class Pace {
  #reading: EventLoopUtilization = performance.eventLoopUtilization();
  #readAtMs = performance.now();
  #isBusy = false;

  /** Runs a piece of a sink's work, then rests if intake is busy. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const startedAtMs = performance.now();
    const result = await work();
    if (this.#intakeIsBusy()) {
      const restMs = Math.min(MAX_REST_MS, (performance.now() - startedAtMs) * REST_FACTOR);
      await delay(restMs);
    }
    return result;
  }

  #intakeIsBusy(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#readAtMs >= SAMPLE_MS) {
      const reading = performance.eventLoopUtilization();
      this.#isBusy = performance.eventLoopUtilization(reading, this.#reading).utilization > BUSY_UTILIZATION;
      this.#reading = reading;
      this.#readAtMs = nowMs;
    }
    return this.#isBusy;
  }
}
