import type { Failure, Outcome } from './test-reports.ts';

/** Lines of a message and of a log that are printed; the cause is at the start of a message and at the end of a log. */
const MAX_MESSAGE_LINES = 60;
const MAX_LOG_LINES = 40;

/** The result of a step in one line: `2584 passed, 0 failed, 0 skipped   151 s, 243 s of CPU`. */
export function stepLine(
  outcome: Outcome & { readonly seconds: number; readonly cpuSeconds: number | null },
): string {
  const { passed, failed, skips, seconds, cpuSeconds } = outcome;
  const counts = `${passed} passed, ${failed} failed, ${skips.length} skipped`;
  const cpu = cpuSeconds === null ? '' : `, ${Math.round(cpuSeconds)} s of CPU`;
  return `${counts.padEnd(40)}${Math.round(seconds)} s${cpu}`;
}

/** One line for each reason to skip, with the number of tests. */
export function skipLines(step: string, reasons: readonly string[]): readonly string[] {
  const counts = Map.groupBy(reasons, (reason) => reason);
  return [...counts].map(([reason, { length }]) => `SKIPPED ${length} of ${step}: ${reason}`);
}

/** A failed test with its message and the end of its log. */
export function failureText(step: string, { name, message, log }: Failure): string {
  const short = cut(message.split('\n'), MAX_MESSAGE_LINES, 'start');
  const printed = log === '' ? [] : ['  -- its output:', ...cut(log.split('\n'), MAX_LOG_LINES, 'end')];
  const body = [...short, ...printed].map((line) => `  ${line}`.trimEnd());
  return `\n${step}: ${name}\n${body.join('\n')}\n\n`;
}

/** Jest's heading of an error outside of a test, which says nothing about the error. */
const HEADING = /^\s*(● .*)?$/;

/** The first line of a message that says what happened. */
export function firstLine(message: string): string {
  const lines = message.split('\n');
  return (lines.find((line) => !HEADING.test(line)) ?? '').trim();
}

/** A text without line breaks, so that the failures can be counted by lines. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function cut(lines: readonly string[], max: number, side: 'start' | 'end'): readonly string[] {
  if (lines.length <= max) return lines;
  const note = `[${lines.length - max} more lines]`;
  return side === 'start' ? [...lines.slice(0, max), note] : [note, ...lines.slice(-max)];
}
