import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** Above this utilisation of the event loop intake counts as busy. */
const BUSY_UTILIZATION = 0.7;
/** How often the utilisation is read; shorter readings are noise. */
const SAMPLE_MS = 100;
/** So many envelopes waiting for their commit at once: senders come faster than one commit takes. */
const BUSY_WAITING = 4;
/**
 * The sinks use a tenth of the time while intake is busy: after work of t they rest 9 t. The most they may take is a
 * fifth; half of that keeps digests coming during a storm and leaves room for what a delivery costs outside of it.
 */
const REST_FACTOR = 9;
/** Longest rest, so that a long batch does not stall the sinks for seconds. */
const MAX_REST_MS = 2_000;

/**
 * Lets the sinks yield to intake: an envelope refused is lost, one delivered later is not.
 *
 * While intake is idle they work side by side. While it is busy they take turns, one batch at a time over all sinks,
 * and rest after each, so that together they have a tenth of the time. Busy is a busy event loop, or senders that
 * wait for the disk: on a single core the event loop idles while other threads have the processor.
 */
export class Pace {
  readonly #waiting: () => number;
  #reading: EventLoopUtilization = performance.eventLoopUtilization();
  #readAtMs = performance.now();
  #isLoopBusy = false;
  #turn: Promise<void> = Promise.resolve();

  /** @param waiting how many envelopes wait for their commit now. */
  constructor(waiting: () => number) {
    this.#waiting = waiting;
  }

  /** Runs one batch of a sink's work, when it is its turn. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isBusy()) return work();
    const mine = Promise.withResolvers<void>();
    const before = this.#turn;
    this.#turn = before.then(() => mine.promise);
    await before;
    try {
      return await this.#workAndRest(work);
    } finally {
      mine.resolve();
    }
  }

  async #workAndRest<T>(work: () => Promise<T>): Promise<T> {
    const startedAtMs = performance.now();
    const result = await work();
    if (this.#isBusy()) {
      await delay(Math.min(MAX_REST_MS, (performance.now() - startedAtMs) * REST_FACTOR));
    }
    return result;
  }

  #isBusy(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#readAtMs >= SAMPLE_MS) {
      const reading = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(reading, this.#reading);
      this.#isLoopBusy = utilization > BUSY_UTILIZATION;
      this.#reading = reading;
      this.#readAtMs = nowMs;
    }
    return this.#isLoopBusy || this.#waiting() >= BUSY_WAITING;
  }
}
