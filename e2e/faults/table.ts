import type { Finding, Findings, Result } from './findings.ts';

/** The result of one experiment. */
export interface Row {
  readonly id: string;
  readonly fault: string;
  readonly target: string;
  readonly findings: readonly Finding[];
  /** Lines of Errata's log; printed when the experiment failed. */
  readonly complaints?: readonly string[];
  /** `skipped` with the reason as its only finding. */
  readonly verdict: Findings['verdict'] | 'skipped';
  readonly seed: number;
  readonly seconds: number;
}

const HEAD = ['', 'fault', 'target', 'measured', 'verdict', 'seed', 's'] as const;
/** Widths of the columns, at which texts are wrapped. */
const WRAP_AT = [4, 26, 44, 54, 10, 10, 6] as const;

/** Findings that need attention come first and are marked, so that they are easy to find. */
const ORDER: readonly Result[] = ['bad', 'unmeasured', 'good', 'noted'];

/** Formats the report: one row for each experiment, with texts wrapped within their column. */
export function table(rows: readonly Row[]): string {
  const rule = WRAP_AT.map((width) => '-'.repeat(width)).join('  ');
  const lines = rows.flatMap((row) => [rule, ...lay(cells(row))]);
  return [...lay(HEAD), ...lines, rule].join('\n');
}

function cells({ id, fault, target, findings, verdict, seed, seconds }: Row): readonly string[] {
  const sorted = findings
    .filter(({ result, isPart }) => result === 'bad' || !isPart)
    .sort((one, other) => ORDER.indexOf(one.result) - ORDER.indexOf(other.result));
  const measured = sorted.map(marked).join('; ');
  return [id, fault, target, measured, verdict, String(seed), seconds.toFixed(1)];
}

/** Returns the text of a finding, marked unless it is good. */
export function marked({ text, result }: Finding): string {
  switch (result) {
    case 'good':
      return text;
    case 'bad':
      return `NOT ${text}`;
    case 'unmeasured':
      return `UNMEASURED ${text}`;
    case 'noted':
      return `(${text})`;
  }
}

function lay(row: readonly string[]): readonly string[] {
  const columns = row.map((cell, column) => wrap(cell, WRAP_AT[column] ?? 0));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((column, index) => (column[line] ?? '').padEnd(WRAP_AT[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
