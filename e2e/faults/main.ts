import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readExperiments } from './catalogue.ts';
import type { Experiment } from './experiment.ts';
import { performAlone, type Result } from './isolate.ts';
import { readOptions } from './options.ts';

/**
 * Causes each fault in the real process, measures the effect, and compares it with the target. Black-box: it observes
 * Errata as clients, upstreams and operators do. docs/faults.md describes the experiments.
 */

/** Exit status of an interrupted program, as in shells. */
const INTERRUPTED = 130;
const PROGRAM = join(import.meta.dirname, 'perform.ts');
/** Half of the time in which the process of an experiment loads its modules goes into their types. */
const NODE_COMPILE_CACHE = join(import.meta.dirname, '..', '..', 'build', 'compile-cache');

type Row = Pick<Experiment, 'id' | 'fault'> & Result;

const startedAtMs = performance.now();
const { only, scale, seed, jobs } = readOptions(process.env);
/** Aborted by the first signal. The running experiments get the signal, too, and clean up. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interruption.abort());

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns the experiments to run; ends the program when `ONLY` names one that does not exist, or not in the gate. */
async function choose(): Promise<readonly Experiment[]> {
  const all = await readExperiments();
  const ofScale = all.filter(({ isLeftOut }) => scale !== 'gate' || isLeftOut !== true);
  const unknown = only?.filter((id) => !ofScale.some((experiment) => experiment.id === id)) ?? [];
  if (unknown.length === 0) return ofScale.filter(({ id }) => only === null || only.includes(id));
  const ids = ofScale.map(({ id }) => id).join(' ');
  print(`ONLY=${unknown.join(',')}: no such experiment with FORM=${scale}; there are ${ids}`);
  process.exit(1);
}

/** Whether all findings are printed as they come. A gate with several experiments prints only those of failures. */
const isLive = scale !== 'gate' || only?.length === 1;

/** Runs one experiment and prints its result. */
async function perform({ id, fault }: Experiment): Promise<Row> {
  const printFinding = (line: string): void => print(`        ${line}`);
  if (isLive) print(`${id.padEnd(5)}${fault}`);
  const environment = { SEED: String(seed), NODE_COMPILE_CACHE };
  const result = await performAlone(PROGRAM, id, environment, isLive ? printFinding : undefined);
  if (!interruption.signal.aborted) {
    const end = `${result.verdict} (${result.seconds.toFixed(1)} s)`;
    print(isLive ? `     ${end}` : `${id.padEnd(5)}${fault}: ${end}`);
    if (!isLive && result.verdict === 'FAILED') result.lines.forEach(printFinding);
  }
  return { id, fault, ...result };
}

/** Runs the experiments, `jobs` at a time. */
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
  return rows;
}

const chosen = await choose();
print(`${chosen.length} experiments, FORM=${scale} SEED=${seed}\n`);
const rows = await performAll(chosen);
const having = (verdict: Row['verdict']): readonly Row[] => rows.filter((row) => row.verdict === verdict);
const [passed, failed, skipped] = [having('passed'), having('FAILED'), having('skipped')];
const unmeasured = having('unmeasured');
print(
  `\n${passed.length} passed, ${failed.length} failed, ${unmeasured.length} unmeasured, ${skipped.length} skipped` +
    ` in ${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`,
);
for (const { id, verdict } of [...failed, ...unmeasured]) print(`${id} ${verdict}`);
// The report for .ci/test-reports.ts.
const file = process.env['FAULTS_REPORT'];
if (file !== undefined) {
  const skips = skipped.map(({ id, lines }) => `${id} ${lines.join('; ')}`);
  const failures = failed.map(({ id, fault, lines }) => {
    const missed = lines.filter((line) => line.startsWith('NOT '));
    return { id, name: fault, message: missed.join('\n'), log: lines.join('\n') };
  });
  writeFileSync(file, JSON.stringify({ passed: passed.length, failed: failed.length, skips, failures }));
}
process.exit(failed.length > 0 ? 1 : 0);
