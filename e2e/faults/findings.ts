import type { Scale } from './options.ts';
import { StallMeter } from './parts/stall-meter.ts';

/**
 * How a finding begins when it is not good. Unmeasured is a time for which the machine did not run the bench often enough.
 * A time in the gate, which judges none, and a measurement that is repeated are only noted.
 */
const MARKS = { good: '', bad: 'NOT ', unmeasured: 'UNMEASURED ', noted: 'noted: ' } as const;

/** One figure of an experiment, and whether it meets its target. */
interface Finding {
  readonly text: string;
  readonly result: keyof typeof MARKS;
}

/** A line of Errata's log. */
type LogRecord = Readonly<Record<string, unknown>>;

/** Maximum number of printed log lines, and their maximum length. */
const MAX_COMPLAINTS = 8;
const MAX_LENGTH = 600;

/** Largest part of a time limit for which the bench may have stalled while it measured. */
const MAX_STALL = 0.1;
/** Maximum number of measurements of one time. */
const MAX_MEASUREMENTS = 5;

/** The findings of an experiment. */
export class Findings {
  readonly #all: Finding[] = [];
  readonly #print: (line: string) => void;
  readonly #scale: Scale;
  readonly #logs: (readonly LogRecord[])[] = [];

  /** @param print is called with each finding at once: some experiments take half an hour. */
  constructor(print: (line: string) => void, scale: Scale) {
    this.#print = print;
    this.#scale = scale;
  }

  /** An experiment without a judged finding has not passed. */
  get verdict(): 'passed' | 'FAILED' | 'unmeasured' {
    const has = (wanted: Finding['result']): boolean => this.#all.some(({ result }) => result === wanted);
    if (has('bad')) return 'FAILED';
    if (has('unmeasured')) return 'unmeasured';
    return has('good') ? 'passed' : 'FAILED';
  }

  /** Adds the log of a process, which may still grow. */
  watch(log: readonly LogRecord[]): void {
    this.#logs.push(log);
  }

  /** The last warnings and errors of Errata's log: the first place to look for the cause of a failure. */
  get complaints(): readonly string[] {
    const complaints = this.#logs.flat().filter(({ level }) => level === 'warn' || level === 'error');
    return complaints.slice(-MAX_COMPLAINTS).map((record) => JSON.stringify(record).slice(0, MAX_LENGTH));
  }

  /** Adds a finding. @param text names the figure and contains it. */
  add(isGood: boolean, text: string): void {
    this.#take({ text, result: isGood ? 'good' : 'bad' });
  }

  equal(what: string, measured: number | string, expected: number | string): void {
    const isGood = measured === expected;
    this.add(isGood, `${what} ${shown(measured)}${isGood ? '' : ` (expected ${shown(expected)})`}`);
  }

  atMost(what: string, measured: number, limit: number, unit = ''): void {
    this.add(measured <= limit, `${what} ${shown(measured)}${unit} (<= ${shown(limit)}${unit})`);
  }

  atLeast(what: string, measured: number, limit: number, unit = ''): void {
    this.add(measured >= limit, `${what} ${shown(measured)}${unit} (>= ${shown(limit)}${unit})`);
  }

  /** Measures a duration in ms and compares it with its limit, as {@link timed} does. */
  duration(what: string, limitMs: number, measure: () => Promise<number>, percentile = 100): Promise<void> {
    return this.timed(
      limitMs,
      async (times) => times.atMost(what, await measure(), limitMs, ' ms'),
      percentile,
    );
  }

  /**
   * Runs `measure`, which adds findings that depend on time. They count only if the bench stalled for less than a tenth
   * of the limit; otherwise it measures again, at most five times in all. The gate measures once and judges nothing.
   *
   * @param percentile of the stalls that is compared; below 100 for figures that are percentiles themselves.
   */
  async timed(limitMs: number, measure: (times: Findings) => Promise<void>, percentile = 100): Promise<void> {
    for (let left = MAX_MEASUREMENTS; left > 0; left -= 1) {
      const times = new Findings(() => undefined, this.#scale);
      const meter = new StallMeter();
      await measure(times).finally(() => meter.stop());
      const stallMs = meter.percentileMs(percentile);
      const stalled = `the bench stalled ${shown(stallMs)} ms`;
      const isJudged = this.#scale !== 'gate';
      const isCalm = stallMs < limitMs * MAX_STALL;
      if (isJudged && !isCalm && left > 1) {
        this.#take({ text: `${stalled}: measures again`, result: 'noted' });
        continue;
      }
      for (const { text, result } of times.#all) {
        if (!isJudged) this.#take({ text, result: 'noted' });
        else if (isCalm) this.#take({ text, result });
        else this.#take({ text: `${text}; ${stalled}`, result: 'unmeasured' });
      }
      return;
    }
  }

  #take(finding: Finding): void {
    this.#all.push(finding);
    this.#print(MARKS[finding.result] + finding.text);
  }
}

function shown(value: number | string): string {
  return typeof value === 'string' ? value : value.toLocaleString('en', { maximumFractionDigits: 1 });
}
