/** One figure of an experiment, and whether it meets its target. */
export interface Finding {
  readonly text: string;
  readonly isGood: boolean;
  /** Whether it belongs to one part of a long experiment, which has a finding for the total, too. */
  readonly isPart: boolean;
}

/** A line of Errata's log. */
type LogRecord = Readonly<Record<string, unknown>>;

/** Maximum number of printed log lines, and their maximum length. */
const MAX_COMPLAINTS = 8;
const MAX_LENGTH = 600;

/** The findings of an experiment. An experiment without findings has not passed. */
export class Findings {
  readonly all: Finding[] = [];
  readonly #tell: (finding: Finding) => void;
  readonly #logs: (readonly LogRecord[])[];

  /** @param tell is called with each finding immediately: some experiments take half an hour. */
  constructor(tell: (finding: Finding) => void, logs: (readonly LogRecord[])[] = []) {
    this.#tell = tell;
    this.#logs = logs;
  }

  get areGood(): boolean {
    return this.all.length > 0 && this.all.every(({ isGood }) => isGood);
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
    this.#take({ text, isGood, isPart: false });
  }

  /** Returns findings for one part of a long experiment, which also count here. */
  part(): Findings {
    return new Findings((finding) => this.#take({ ...finding, isPart: true }), this.#logs);
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

  #take(finding: Finding): void {
    this.all.push(finding);
    this.#tell(finding);
  }
}

function shown(value: number | string): string {
  return typeof value === 'string' ? value : value.toLocaleString('en', { maximumFractionDigits: 1 });
}
