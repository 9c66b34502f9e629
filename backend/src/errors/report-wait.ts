import type { Metrics } from '../telemetry/metrics.ts';
import { REAL_TIME, type TimeSource } from '../time/time-source.ts';

/** A commit takes some milliseconds. A person does not wait longer than this for a page that only says that it failed. */
const REPORT_WAIT_MS = 250;

/** Waits for the reports of failures, so that what a page shows can be found. */
export class ReportWait {
  readonly #seconds: Metrics['reportWaitSeconds'];
  readonly #time: TimeSource;

  constructor({ reportWaitSeconds }: Metrics, time: TimeSource = REAL_TIME) {
    this.#seconds = reportWaitSeconds;
    this.#time = time;
  }

  /** Waits for a report, at most {@link REPORT_WAIT_MS}. Returns its result; undefined if it has none by then. */
  async for<Result>(report: Promise<Result>): Promise<Result | undefined> {
    const startedAtMs = this.#time.nowMs();
    const result = await new Promise<Result | undefined>((resolve) => {
      const cancel = this.#time.startTimer(REPORT_WAIT_MS, () => resolve(undefined));
      void report.then((ended) => {
        cancel();
        resolve(ended);
      });
    });
    this.#seconds.observe((this.#time.nowMs() - startedAtMs) / 1_000);
    return result;
  }
}
