import { REAL_TIME, type TimeSource } from './time-source.ts';

/** The end of the time that several steps share: each one has what those before it have left. */
export class Deadline {
  readonly #atMs: number;
  readonly #time: TimeSource;

  /** @param afterMs from now. */
  constructor(afterMs: number, time: TimeSource = REAL_TIME) {
    this.#atMs = time.nowMs() + afterMs;
    this.#time = time;
  }

  /** Time that is left, ms; 0 from the deadline on. */
  get leftMs(): number {
    return Math.max(0, this.#atMs - this.#time.nowMs());
  }

  /** Returns a later deadline. */
  plus(afterMs: number): Deadline {
    return new Deadline(this.#atMs - this.#time.nowMs() + afterMs, this.#time);
  }

  /** Waits for work until the deadline, and returns whether it has ended. @throws what the work throws until then. */
  wait(work: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const cancel = this.#time.startTimer(this.leftMs, () => resolve(false));
      work.then(() => resolve(true), reject).finally(cancel);
    });
  }
}
