/** A periodic job under way. */
export interface Job {
  /** Lets no further run start; a run under way goes on. */
  readonly stop: () => void;
  /** Ends the pause, or has a run under way followed by another one at once. */
  readonly runNow: () => void;
}

export interface Schedule {
  /** Pause after a run, in ms. */
  readonly everyMs: number;
  /** Pause after a run that failed; `everyMs` without it. */
  readonly retryMs?: number;
  /** Whether the first run starts at once instead of after a pause. */
  readonly isAtOnce?: boolean;
}

/** Calls `run` after a pause; the result cancels it. */
export type After = (ms: number, run: () => void) => () => void;

const afterPause: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

/**
 * Repeats `work`: the next pause begins when a run ends, so that no run overlaps another one.
 *
 * @param onError receives the error of each failed run; the job goes on
 */
export function every(
  schedule: Schedule,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  after = afterPause,
): Job {
  const job = new RepeatedJob(schedule, work, onError, after);
  job.start();
  return job;
}

class RepeatedJob implements Job {
  readonly #schedule: Schedule;
  readonly #work: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #after: After;
  #isStopped = false;
  #isRunning = false;
  /** Whether a run is requested while another one is under way. */
  #isWanted = false;
  #cancel = (): void => undefined;

  constructor(
    schedule: Schedule,
    work: () => Promise<void>,
    onError: (error: unknown) => void,
    after: After,
  ) {
    this.#schedule = schedule;
    this.#work = work;
    this.#onError = onError;
    this.#after = after;
  }

  start(): void {
    if (this.#schedule.isAtOnce === true) void this.#run();
    else this.#pause(this.#schedule.everyMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  runNow(): void {
    this.#isWanted = this.#isRunning;
    if (this.#isRunning || this.#isStopped) return;
    this.#cancel();
    void this.#run();
  }

  #pause(ms: number): void {
    if (!this.#isStopped) this.#cancel = this.#after(ms, () => void this.#run());
  }

  async #run(): Promise<void> {
    const { everyMs, retryMs = everyMs } = this.#schedule;
    this.#isRunning = true;
    this.#isWanted = false;
    let pauseMs = everyMs;
    try {
      await this.#work();
    } catch (error) {
      // After stop the store may be closed already, so that the last run fails: this is no fault.
      if (!this.#isStopped) this.#onError(error);
      pauseMs = retryMs;
    }
    this.#isRunning = false;
    this.#pause(this.#isWanted ? 0 : pauseMs);
  }
}
