import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXPERIMENTS } from './catalogue.ts';
import type { Experiment } from './experiment.ts';
import { performAlone } from './isolate.ts';
import { readOptions } from './options.ts';
import { reportOf } from './report.ts';
import { marked, type Row, table } from './table.ts';

/**
 * Causes each fault in the real process, measures the effect, and compares it with the target. Black-box: it observes
 * Errata as clients, upstreams and operators do. docs/faults.md describes the experiments.
 */

/** Exit status of an interrupted program, as in shells. */
const INTERRUPTED = 130;
const PROGRAM = join(import.meta.dirname, 'perform.ts');

const startedAtMs = performance.now();
const options = readOptions(process.env);
const { only, form, seed, jobs } = options;
/** Aborted by the first signal. The running experiments get the signal, too, and clean up. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns the experiments to run; ends the program when `ONLY` names one that does not exist, or not in this form. */
function choose(): readonly Experiment[] {
  const unknown = only?.filter((id) => !EXPERIMENTS.some((experiment) => experiment.id === id)) ?? [];
  if (unknown.length > 0) {
    const all = EXPERIMENTS.map(({ id }) => id).join(' ');
    print(`ONLY=${unknown.join(',')}: no such experiment; there are ${all}`);
    process.exit(1);
  }
  const wanted = EXPERIMENTS.filter(({ id }) => only === null || only.includes(id));
  if (form !== 'gate') return wanted;
  const formless = only === null ? [] : wanted.filter(({ gate }) => gate === null);
  if (formless.length > 0) {
    const ids = formless.map(({ id }) => id);
    print(`${ids.join(', ')} ${ids.length === 1 ? 'has' : 'have'} no gate form`);
    process.exit(1);
  }
  return wanted.filter(({ gate }) => gate !== null);
}

/** Whether all findings are printed as they come. A gate with several experiments prints only those of failures. */
const isLive = form !== 'gate' || only?.length === 1;

/** Runs one experiment and prints its result. */
async function perform(experiment: Experiment): Promise<Row> {
  const { id, fault } = experiment;
  if (isLive) print(`${id.padEnd(5)}${fault}`);
  const row = await performAlone(experiment, PROGRAM, seed, (finding) => {
    if (isLive) print(`${finding.result === 'bad' ? '    ' : '        '}${marked(finding)}`);
  });
  if (interruption.signal.aborted) return row;
  const end = `${row.verdict} (${row.seconds.toFixed(1)} s)`;
  print(isLive ? `     ${end}` : `${id.padEnd(5)}${fault}: ${end}`);
  if (row.verdict !== 'FAILED') return row;
  if (!isLive) for (const finding of row.findings) print(`        ${marked(finding)}`);
  for (const line of row.complaints ?? []) print(`        ${line}`);
  return row;
}

/** Runs the experiments, `jobs` at a time, and returns their rows in the order of the catalogue. */
async function performAll(experiments: readonly Experiment[]): Promise<readonly Row[]> {
  const left = [...experiments];
  const rows: Row[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && !interruption.signal.aborted; next = left.shift()) {
      rows.push(await perform(next));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  if (interruption.signal.aborted) process.exit(INTERRUPTED);
  const order = experiments.map(({ id }) => id);
  return rows.sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
}

const chosen = choose();
print(`${chosen.length} experiments in their ${form} form, SEED=${seed}\n`);
const rows = await performAll(chosen);
if (form !== 'gate') print(`\n${table(rows)}`);
const count = (verdict: Row['verdict']): number => rows.filter((row) => row.verdict === verdict).length;
const counts = {
  passed: count('passed'),
  failed: count('FAILED'),
  unmeasured: count('unmeasured'),
  skipped: count('skipped'),
};
const sums = Object.entries(counts).map(([name, number]) => `${number} ${name}`);
print(`\n${sums.join(', ')} in ${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`);
if (options.report !== null) writeFileSync(options.report, JSON.stringify(reportOf(rows)));
process.exit(counts.failed > 0 ? 1 : 0);
