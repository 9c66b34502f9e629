import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs everything that must pass, one after the other, and closes with the sum over all runners. A step that fails
 * does not hide the next one; the exit status is 1 if any did.
 */

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Reads the counts of a runner's report; null: the step is one check that passes or fails. */
  readonly counts: ((report: unknown) => Counts) | null;
}

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
}

const root = join(import.meta.dirname, '..');
const reports = mkdtempSync(join(tmpdir(), 'errata-test-'));

function jestCounts(report: unknown): Counts {
  const jest = report as JestReport;
  return {
    passed: jest.numPassedTests,
    failed: jest.numFailedTests + jest.numRuntimeErrorTestSuites,
    skipped: jest.numPendingTests + jest.numTodoTests,
  };
}

function playwrightCounts(report: unknown): Counts {
  const { expected, unexpected, flaky, skipped } = (report as PlaywrightReport).stats;
  return { passed: expected, failed: unexpected + flaky, skipped };
}

function jestStep(workspace: string): Step {
  const report = join(reports, `${workspace}.json`);
  return {
    name: workspace,
    command: [
      'node',
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      '../node_modules/.bin/jest',
      '--json',
      `--outputFile=${report}`,
    ],
    cwd: join(root, workspace),
    environment: {},
    counts: jestCounts,
  };
}

const steps: readonly Step[] = [
  { name: 'check', command: ['make', 'check'], cwd: root, environment: {}, counts: null },
  jestStep('backend'),
  jestStep('frontend'),
  {
    name: 'e2e',
    command: ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
    cwd: root,
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json') },
    counts: playwrightCounts,
  },
  {
    name: 'faults',
    command: ['node', 'bench/faults/main.ts'],
    cwd: root,
    environment: { FAULTS_REPORT: join(reports, 'faults.json') },
    // The bench writes its counts as they are wanted here.
    counts: (report) => report as Counts,
  },
];

function run(step: Step): Counts {
  process.stdout.write(`\n==> ${step.name}\n`);
  const [program, ...rest] = step.command;
  const { status } = spawnSync(program, rest, {
    cwd: step.cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...step.environment },
  });
  const isGood = status === 0;
  if (step.counts === null) return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 };
  try {
    const counts = step.counts(JSON.parse(readFileSync(join(reports, `${step.name}.json`), 'utf8')));
    // A runner that fails without a failed test (it crashed, or found none) has failed all the same.
    return isGood || counts.failed > 0 ? counts : { ...counts, failed: 1 };
  } catch {
    process.stdout.write(`${step.name} left no report\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const startedAtMs = Date.now();
const sums = { passed: 0, failed: 0, skipped: 0 };
for (const step of steps) {
  const counts = run(step);
  sums.passed += counts.passed;
  sums.failed += counts.failed;
  sums.skipped += counts.skipped;
  process.stdout.write(
    `${step.name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`,
  );
}
rmSync(reports, { recursive: true });
process.stdout.write(`\nall in ${Math.round((Date.now() - startedAtMs) / 1_000)} s\n`);
process.stdout.write(`${sums.passed} passed, ${sums.failed} failed, ${sums.skipped} skipped\n`);
process.exitCode = sums.failed > 0 ? 1 : 0;
