import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Command } from './run-command.ts';
import { faultsOutcome, jestOutcome, type Outcome, playwrightOutcome } from './test-reports.ts';

/** One runner of checks or tests. */
export interface Step extends Command {
  readonly name: string;
  /** Environment variable or option that names the file of the report; null: the step has none, it passes or fails. */
  readonly report: ReportTo | null;
}

interface ReportTo {
  readonly args: (file: string) => readonly string[];
  readonly environment: (file: string) => Readonly<Record<string, string>>;
  readonly read: (report: unknown, output: string) => Outcome;
}

const root = join(import.meta.dirname, '..');
/**
 * Workers of each runner. A second one shortens the run on one core, too: many tests wait for other processes. Beside much
 * other work a worker gets a small part of a core, and twice as many get a fair one; on idle cores they are slower (the
 * browser tests took 241 s with four workers on two cores, 216 s with two).
 */
const IDLE_WORKERS = Math.max(2, availableParallelism());
const WORKERS = (loadavg()[0] ?? 0) > 2 * IDLE_WORKERS ? 2 * IDLE_WORKERS : IDLE_WORKERS;
/** The run is the same each time: an old defect that a new seed finds must not stop an unrelated change. */
const SEED = '1';

function jestStep(workspace: string): Step {
  return {
    name: workspace,
    words: [
      'node',
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      '../node_modules/.bin/jest',
      `--maxWorkers=${WORKERS}`,
      // A failed test can leave a server open; without this Jest would wait for it without end.
      '--forceExit',
      // With a single file Jest would print each test, and no output of the test.
      '--verbose=false',
      '--json',
    ],
    cwd: join(root, workspace),
    environment: {},
    report: { args: (file) => [`--outputFile=${file}`], environment: () => ({}), read: jestOutcome },
  };
}

/** All steps, in the order in which they run: the quick ones first. */
export const STEPS: readonly Step[] = [
  // Logs are read as plain text. Each program has its own way to say so; Jest finds out by itself.
  { name: 'check', words: ['make', 'check'], cwd: root, environment: { NO_COLOR: '1' }, report: null },
  {
    name: 'k8s',
    words: ['node', 'tools/k8s.ts'],
    cwd: root,
    environment: {},
    report: {
      args: () => [],
      environment: (file) => ({ K8S_REPORT: file }),
      read: (report) => report as Outcome,
    },
  },
  jestStep('tools'),
  jestStep('backend'),
  jestStep('frontend'),
  {
    name: 'e2e',
    words: [
      'playwright',
      'test',
      '--config=e2e/playwright.config.ts',
      `--workers=${WORKERS}`,
      '--reporter=line,json',
    ],
    cwd: root,
    environment: { FORCE_COLOR: '0' },
    report: {
      args: () => [],
      environment: (file) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
      read: playwrightOutcome,
    },
  },
  {
    name: 'faults',
    words: ['node', 'e2e/faults/main.ts'],
    cwd: root,
    // The options of `make faults` in the developer's shell must not choose the tests.
    environment: { FORM: 'gate', SEED, JOBS: String(WORKERS), ONLY: '', KILLS: '', FULL: '' },
    report: { args: () => [], environment: (file) => ({ FAULTS_REPORT: file }), read: faultsOutcome },
  },
];
