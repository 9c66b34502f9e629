import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, runCommand } from './run-command.ts';
import type { Step } from './steps.ts';
import { failureText, firstLine, oneLine, skipLines, stepLine } from './test-output.ts';
import type { Failure, Outcome, Selection } from './test-reports.ts';

/** Failed tests that run once more alone: enough to know the cause of a few, without doubling a run that is all red. */
const MAX_RERUN = 10;
const NOTHING: Outcome = { passed: 0, failed: 0, skips: [], failures: [], retried: [] };

interface FailedTest {
  readonly step: Step;
  readonly failure: Failure;
}

/**
 * Runs steps one after the other; a failed step does not stop the next one. Prints a line for each step and keeps the
 * output of the runners back. Failures come last: test, message and log, then the totals. Returns whether all passed.
 */
export async function runSteps(steps: readonly Step[], print: (text: string) => void): Promise<boolean> {
  const startedAtMs = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'errata-test-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const outcomes: Outcome[] = [];
  const failed: FailedTest[] = [];
  const notes: string[] = [];
  for (const step of steps) {
    // The name comes first: it says what runs meanwhile.
    print(step.name.padEnd(10));
    const outcome = await runStep(step, folder);
    print(`${stepLine(outcome)}\n`);
    outcomes.push(outcome);
    failed.push(...outcome.failures.map((failure) => ({ step, failure })));
    notes.push(...outcome.retried.map((name) => `RETRIED ${step.name}: ${name}`));
    notes.push(...skipLines(step.name, outcome.skips));
  }
  for (const note of notes) print(`${note}\n`);
  for (const { step, failure } of failed) print(failureText(step.name, failure));
  for (const [index, each] of failed.entries()) print(await verdictLine(each, index < MAX_RERUN, folder));
  removeFolder();
  process.off('exit', removeFolder);
  const sum = (count: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const failures = sum((outcome) => outcome.failed);
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  print(`all in ${seconds} s, ${sum(({ retried }) => retried.length)} retried\n`);
  print(
    `${sum(({ passed }) => passed)} passed, ${failures} failed, ${sum(({ skips }) => skips.length)} skipped\n`,
  );
  return failures === 0;
}

let runs = 0;

/** Runs a step, or one of its tests, and reads its result. */
async function runStep(step: Step, folder: string, alone?: Selection): Promise<Outcome & Ended> {
  runs += 1;
  const file = join(folder, `${runs}.json`);
  const log = join(folder, `${runs}.log`);
  const [program, ...args] = step.words;
  const { report } = step;
  const environment = {
    ...step.environment,
    ...report?.environment(file),
    ...alone?.environment,
  };
  const words = [program, ...args, ...(report?.args(file) ?? []), ...(alone?.args ?? [])] as const;
  const ended = await runCommand({ words, cwd: step.cwd, environment }, log);
  return { ...outcomeOf(step, ended.status, file, readFileSync(log, 'utf8')), ...ended };
}

function outcomeOf(step: Step, status: number | string, file: string, output: string): Outcome {
  const isGood = status === 0;
  const broken = (message: string): Outcome => {
    const failure = { name: step.words.join(' '), message, log: output.trim(), alone: null };
    return { ...NOTHING, failed: 1, failures: [failure] };
  };
  if (step.report === null) return isGood ? { ...NOTHING, passed: 1 } : broken(`ended with ${status}`);
  let outcome: Outcome;
  try {
    outcome = step.report.read(JSON.parse(readFileSync(file, 'utf8')), output);
  } catch {
    return broken(`wrote no report and ended with ${status}`);
  }
  if (outcome.passed + outcome.failed + outcome.skips.length === 0) return broken('ran no test');
  // A runner can fail without a failed test: it crashed.
  return isGood || outcome.failed > 0
    ? outcome
    : { ...broken(`ended with ${status}`), passed: outcome.passed };
}

/**
 * The line of a failed test. The test runs once more alone: its verdict stays, but one that passes alone has its cause
 * in the tests or processes beside it.
 */
async function verdictLine(
  { step, failure }: FailedTest,
  runsAgain: boolean,
  folder: string,
): Promise<string> {
  const line = `${oneLine(`${step.name}: ${failure.name}: ${firstLine(failure.message)}`)}\n`;
  if (failure.alone === null || !runsAgain) return `FAILED ${line}`;
  const { passed, failed } = await runStep(step, folder, failure.alone);
  return failed === 0 && passed > 0 ? `FAILED, passed alone ${line}` : `FAILED again ${line}`;
}
