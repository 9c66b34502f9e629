import { availableParallelism, loadavg } from 'node:os';
import { runSteps, type Step } from './run-steps.ts';
import { faultsOutcome, jestOutcome, type Outcome, playwrightOutcome } from './test-reports.ts';

/**
 * Workers of each runner. A second one shortens the run on one core, too: many tests wait for other processes. Beside much
 * other work a worker gets a small part of a core, and twice as many get a fair one; on idle cores they are slower (the
 * browser tests took 241 s with four workers on two cores, 216 s with two). The load of five minutes, not that of the build.
 */
const IDLE_WORKERS = Math.max(2, availableParallelism());
const WORKERS = (loadavg()[1] ?? 0) > 2 * IDLE_WORKERS ? 2 * IDLE_WORKERS : IDLE_WORKERS;

const NODE = 'node --experimental-vm-modules --disable-warning=ExperimentalWarning';
// A failed test can leave a server open; without --forceExit Jest would wait for it without end. With a single file Jest
// would print each test, and no output of the test, without --verbose=false.
const JEST = `../node_modules/.bin/jest --maxWorkers=${WORKERS} --forceExit --verbose=false --json`;
const E2E = `playwright test --config=e2e/playwright.config.ts --workers=${WORKERS} --reporter=line,json`;
// The options of `make faults` in the developer's shell must not choose the tests. The seed is the same each time: an old
// defect that a new one finds must not stop an unrelated change.
const FAULTS = `FORM=gate SEED=1 JOBS=${WORKERS} ONLY= KILLS= FULL=`;

function jest(name: string): Step {
  return { name, command: `cd ${name}; exec ${NODE} ${JEST} --outputFile="$FILE" "$@"`, read: jestOutcome };
}

/** All checks and tests, the quick ones first. */
const STEPS: readonly Step[] = [
  // Logs are read as plain text. Each program has its own way to say so; Jest finds out by itself.
  { name: 'check', command: 'NO_COLOR=1 exec make check', read: null },
  {
    name: 'k8s',
    command: 'K8S_REPORT="$FILE" exec node tools/k8s.ts',
    read: (report) => report as Outcome,
  },
  jest('tools'),
  jest('backend'),
  jest('frontend'),
  {
    name: 'e2e',
    command: `FORCE_COLOR=0 PLAYWRIGHT_JSON_OUTPUT_FILE="$FILE" exec ${E2E} "$@"`,
    read: playwrightOutcome,
  },
  {
    name: 'faults',
    command: `FAULTS_REPORT="$FILE" exec env ${FAULTS} "$@" node e2e/faults/main.ts`,
    read: faultsOutcome,
  },
];

/** Runs all checks and tests. The exit status is 1 if any failed. */
const isGreen = await runSteps(STEPS, (text) => process.stdout.write(text));
process.exitCode = isGreen ? 0 : 1;
