/** One figure of an experiment next to what it has to be. */
export interface Finding {
  readonly text: string;
  readonly isGood: boolean;
}

/** A line of Errata's log. */
type LogRecord = Readonly<Record<string, unknown>>;

/** So many of them are printed, and so much of each. */
const MAX_COMPLAINTS = 8;
const MAX_LENGTH = 600;

/** What an experiment measured. An experiment that found nothing has not passed. */
export class Findings {
  readonly all: Finding[] = [];
  readonly #logs: (readonly LogRecord[])[] = [];

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
    this.all.push({ text, isGood });
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
}

function shown(value: number | string): string {
  return typeof value === 'string' ? value : value.toLocaleString('en', { maximumFractionDigits: 1 });
}
