import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXPERIMENTS } from './catalogue.ts';
import { performAlone } from './isolate.ts';
import { readOptions } from './options.ts';
import { type Row, table } from './table.ts';

/**
 * Causes each fault in the real process, measures the effect, and compares it with the target. Black-box: it observes
 * Errata as clients, upstreams and operators do. docs/faults.md describes the experiments.
 */

/** Exit status of an interrupted program, as in shells. */
const INTERRUPTED = 130;
const PROGRAM = join(import.meta.dirname, 'perform.ts');

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const options = readOptions(process.env);
const { only } = options;
const chosen = EXPERIMENTS.filter(({ id }) => only === null || only.includes(id));
const unknown = only?.filter((id) => !EXPERIMENTS.some((experiment) => experiment.id === id)) ?? [];
if (unknown.length > 0) {
  print(
    `ONLY=${unknown.join(',')}: no such experiment; there are ${EXPERIMENTS.map(({ id }) => id).join(' ')}`,
  );
  process.exit(1);
}
const form = options.isFull ? 'long' : 'short';
print(`${chosen.length} experiments in their ${form} form, SEED=${options.seed}\n`);
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isInterrupted = true));
const rows: Row[] = [];
for (const experiment of chosen) {
  print(`${experiment.id.padEnd(5)}${experiment.fault}`);
  const row = await performAlone(experiment, PROGRAM, options.seed, ({ text, isGood }) =>
    print(`    ${isGood ? '   ' : 'NOT'} ${text}`),
  );
  if (isInterrupted) process.exit(INTERRUPTED);
  rows.push(row);
  if (row.verdict === 'FAILED') for (const line of row.complaints ?? []) print(`        ${line}`);
  print(`${' '.repeat(5)}${row.verdict} (${row.seconds.toFixed(1)} s)`);
}
print(`\n${table(rows)}\n`);
const count = (verdict: Row['verdict']): number => rows.filter((row) => row.verdict === verdict).length;
const counts = { passed: count('passed'), failed: count('FAILED'), skipped: count('skipped') };
print(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
const failures = rows
  .filter(({ verdict }) => verdict === 'FAILED')
  .map(({ id, fault, findings }) => {
    const bad = findings.filter(({ isGood }) => !isGood).map(({ text }) => text);
    return `${id} ${fault}: ${bad.join('; ')}`;
  });
if (options.report !== null) writeFileSync(options.report, JSON.stringify({ ...counts, failures }));
process.exit(counts.failed > 0 ? 1 : 0);
