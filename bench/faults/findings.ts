/** One figure of an experiment next to what it has to be. */
export interface Finding {
  readonly text: string;
  readonly isGood: boolean;
}

/** What an experiment measured. An experiment that found nothing has not passed. */
export class Findings {
  readonly all: Finding[] = [];

  get areGood(): boolean {
    return this.all.length > 0 && this.all.every(({ isGood }) => isGood);
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
