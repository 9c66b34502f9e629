import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsOutcome, jestOutcome, type Outcome, playwrightOutcome } from './test-reports.ts';

/**
 * Runs all checks and tests one after the other. The last lines are the failures and the totals of all runners. A failed
 * step does not stop the next one; the exit status is 1 if any step failed.
 */

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Reads the runner's report; null: the step is one check that passes or fails. */
  readonly outcome: ((report: unknown) => Outcome) | null;
}

/** Exit status of an interrupted program, as in shells. */
const INTERRUPTED = 130;

const root = join(import.meta.dirname, '..');
const reports = mkdtempSync(join(tmpdir(), 'errata-test-'));

function jestStep(workspace: string): Step {
  const report = join(reports, `${workspace}.json`);
  return {
    name: workspace,
    command: [
      'node',
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      '../node_modules/.bin/jest',
      // A failed test can leave a server open; without this Jest would wait for it without end.
      '--forceExit',
      '--json',
      `--outputFile=${report}`,
    ],
    cwd: join(root, workspace),
    environment: {},
    outcome: jestOutcome,
  };
}

const steps: readonly Step[] = [
  { name: 'check', command: ['make', 'check'], cwd: root, environment: {}, outcome: null },
  jestStep('tools'),
  jestStep('backend'),
  jestStep('frontend'),
  {
    name: 'e2e',
    command: ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
    cwd: root,
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json') },
    outcome: playwrightOutcome,
  },
  {
    name: 'faults',
    command: ['node', 'e2e/faults/main.ts'],
    cwd: root,
    environment: { FAULTS_REPORT: join(reports, 'faults.json') },
    outcome: faultsOutcome,
  },
];

/** Whether SIGINT or SIGTERM came. A terminal sends SIGINT to the running step itself; SIGTERM is passed on to it. */
let isInterrupted = false;

async function execute({ command, cwd, environment }: Step): Promise<number | string> {
  const [program, ...rest] = command;
  const env = { ...process.env, ...environment };
  const child = spawn(program, rest, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const pass = (signal: NodeJS.Signals): void => {
    isInterrupted = true;
    if (signal === 'SIGTERM') child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  for (const each of ['SIGINT', 'SIGTERM'] as const) process.off(each, pass);
  if (isInterrupted) {
    rmSync(reports, { recursive: true });
    process.exit(INTERRUPTED);
  }
  return code ?? signal ?? 'a signal';
}

async function run(step: Step): Promise<Outcome> {
  process.stdout.write(`\n==> ${step.name}\n`);
  const status = await execute(step);
  const isGood = status === 0;
  const failure: Outcome = {
    passed: 0,
    failed: 1,
    skipped: 0,
    failures: [`${step.command.join(' ')} ended with ${status}`],
  };
  if (step.outcome === null) return isGood ? { ...failure, passed: 1, failed: 0, failures: [] } : failure;
  try {
    const outcome = step.outcome(JSON.parse(readFileSync(join(reports, `${step.name}.json`), 'utf8')));
    // A runner can fail without a failed test: it crashed, or found no tests.
    return isGood || outcome.failed > 0 ? outcome : { ...failure, passed: outcome.passed };
  } catch {
    return { ...failure, failures: [`${step.name} wrote no report`] };
  }
}

const startedAtMs = Date.now();
const sums = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
for (const step of steps) {
  const outcome = await run(step);
  sums.passed += outcome.passed;
  sums.failed += outcome.failed;
  sums.skipped += outcome.skipped;
  failures.push(...outcome.failures.map((failure) => `${step.name}: ${failure}`));
  process.stdout.write(
    `${step.name}: ${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skipped} skipped\n`,
  );
}
rmSync(reports, { recursive: true });
process.stdout.write(`\nall in ${Math.round((Date.now() - startedAtMs) / 1_000)} s\n`);
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
process.stdout.write(`${sums.passed} passed, ${sums.failed} failed, ${sums.skipped} skipped\n`);
process.exitCode = sums.failed > 0 ? 1 : 0;
