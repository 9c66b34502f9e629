import type { Form } from './options.ts';
import { StallMeter } from './parts/stall-meter.ts';

/**
 * `unmeasured`: a time that the bench could not measure, because the machine did not run it often enough.
 * `noted`: a time in the gate, which judges none, or that a time is measured again.
 */
export type Result = 'good' | 'bad' | 'unmeasured' | 'noted';

/** One figure of an experiment, and whether it meets its target. */
export interface Finding {
  readonly text: string;
  readonly result: Result;
  /** Whether it belongs to one part of a long experiment, which has a finding for the total, too. */
  readonly isPart: boolean;
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
  readonly all: Finding[] = [];
  readonly #tell: (finding: Finding) => void;
  readonly #form: Form;
  readonly #logs: (readonly LogRecord[])[];

  /** @param tell is called with each finding immediately: some experiments take half an hour. */
  constructor(tell: (finding: Finding) => void, form: Form, logs: (readonly LogRecord[])[] = []) {
    this.#tell = tell;
    this.#form = form;
    this.#logs = logs;
  }

  /** An experiment without a judged finding has not passed. */
  get verdict(): 'passed' | 'FAILED' | 'unmeasured' {
    const has = (wanted: Result): boolean => this.all.some(({ result }) => result === wanted);
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
    this.#take({ text, result: isGood ? 'good' : 'bad', isPart: false });
  }

  /** Returns findings for one part of a long experiment, which also count here. */
  part(): Findings {
    return new Findings((finding) => this.#take({ ...finding, isPart: true }), this.#form, this.#logs);
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
      const times = new Findings(() => undefined, this.#form, this.#logs);
      const meter = new StallMeter();
      await measure(times).finally(() => meter.stop());
      const stallMs = meter.percentileMs(percentile);
      const isCalm = stallMs < limitMs * MAX_STALL;
      if (this.#form !== 'gate' && !isCalm && left > 1) {
        const text = `the bench stalled ${shown(stallMs)} ms: measures again`;
        this.#take({ text, result: 'noted', isPart: false });
        continue;
      }
      for (const finding of times.all) this.#take(this.#judged(finding, isCalm, stallMs));
      return;
    }
  }

  #judged(finding: Finding, isCalm: boolean, stallMs: number): Finding {
    if (this.#form === 'gate') return { ...finding, result: 'noted' };
    if (isCalm) return finding;
    return {
      ...finding,
      text: `${finding.text}; the bench stalled ${shown(stallMs)} ms`,
      result: 'unmeasured',
    };
  }

  #take(finding: Finding): void {
    this.all.push(finding);
    this.#tell(finding);
  }
}

function shown(value: number | string): string {
  return typeof value === 'string' ? value : value.toLocaleString('en', { maximumFractionDigits: 1 });
}
