import { table } from './table.ts';

/** A promise and its measurement. */
export interface Verdict {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  /** Null: there is no target. */
  readonly isMet: boolean | null;
  /** Whether nothing but void rounds says so. */
  readonly isVoid: boolean;
}

/** '' without any. */
export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map((one) => [wordFor(one), one.what, one.target, one.measured]);
  const legend = verdicts.some(({ isVoid }) => isVoid) ? '\n(in brackets: of void rounds only)' : '';
  return rows.length === 0 ? '' : table([['', 'figure', 'target', 'measured'], ...rows], 4) + legend;
}

function wordFor({ isMet, isVoid }: Verdict): string {
  if (isMet === null) return '';
  const text = isMet ? 'met' : 'NOT MET';
  return isVoid ? `(${text})` : text;
}
