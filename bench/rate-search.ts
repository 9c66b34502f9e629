/** The search ends when the highest rate that held and the lowest that did not are this close. */
const CLOSE_ENOUGH = 1.08;
/**
 * While nothing has failed yet the rate doubles as long as the server has this share of its core left, then goes up in
 * smaller steps: what an envelope costs falls with the rate, as more of them share a commit.
 */
const HALF_FREE = 0.6;
const LARGE_STEP = 2;
const SMALL_STEP = 1.4;
/** Share that is given up when a rate that was found does not hold for longer. */
const STEP_DOWN = 0.94;

/**
 * Looks for the highest rate a server holds: up in steps until a rate fails, then by halves (geometrically) between the
 * two.
 */
export class RateSearch {
  #held = 0;
  #failed = Infinity;
  #next: number;

  constructor(start: number) {
    this.#next = start;
  }

  /** The rate to try now. */
  get next(): number {
    return Math.round(this.#next);
  }

  /** The highest rate that held; 0 while none has. */
  get found(): number {
    return Math.round(this.#held);
  }

  get isDone(): boolean {
    return this.#failed / this.#held <= CLOSE_ENOUGH || this.#next < 1;
  }

  /** The rate tried has held, at this share of the core. */
  held(cpu: number): void {
    this.#held = this.#next;
    const step = cpu < HALF_FREE ? LARGE_STEP : SMALL_STEP;
    this.#next = this.#failed === Infinity ? this.#held * step : this.#middle();
  }

  /** The rate tried was too high. */
  failed(): void {
    this.#failed = this.#next;
    this.#next = this.#middle();
  }

  #middle(): number {
    return this.#held === 0 ? this.#failed / 2 : Math.sqrt(this.#held * this.#failed);
  }
}

/** Next rate to try when the found one did not hold for longer. */
export function stepDown(rate: number): number {
  return Math.round(rate * STEP_DOWN);
}
