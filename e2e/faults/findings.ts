/** One figure of an experiment next to what it has to be. */
export interface Finding {
  readonly text: string;
  readonly isGood: boolean;
  /** Of one part of a long experiment, whose sum is a finding of its own. */
  readonly isPart: boolean;
}

/** A line of Errata's log. */
type LogRecord = Readonly<Record<string, unknown>>;

/** So many of them are printed, and so much of each. */
const MAX_COMPLAINTS = 8;
const MAX_LENGTH = 600;

/** What an experiment measured. An experiment that found nothing has not passed. */
export class Findings {
  readonly all: Finding[] = [];
  readonly #tell: (finding: Finding) => void;
  readonly #logs: (readonly LogRecord[])[];

  /** @param tell hears of each as it comes: some experiments take half an hour. */
  constructor(tell: (finding: Finding) => void, logs: (readonly LogRecord[])[] = []) {
    this.#tell = tell;
    this.#logs = logs;
  }

  get areGood(): boolean {
    return this.all.length > 0 && this.all.every(({ isGood }) => isGood);
  }

  /** @param log of an Errata; it grows. */
  watch(log: readonly LogRecord[]): void {
    this.#logs.push(log);
  }

  /** The last that Errata said beside what it always says: where a failure is looked for first. */
  get complaints(): readonly string[] {
    const complaints = this.#logs.flat().filter(({ level }) => level === 'warn' || level === 'error');
    return complaints.slice(-MAX_COMPLAINTS).map((record) => JSON.stringify(record).slice(0, MAX_LENGTH));
  }

  /** @param text what was measured, the figure in it. */
  add(isGood: boolean, text: string): void {
    this.#take({ text, isGood, isPart: false });
  }

  /** What one part of a long experiment finds; it counts here, too. */
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
