import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Failure, Outcome } from './test-reports.ts';

/** One runner of checks or tests. */
export interface Step {
  readonly name: string;
  /** For the shell: `$FILE` is the file of the report, `"$@"` is what selects a failed test. */
  readonly command: string;
  /** Null: the step has no report, it passes or fails. */
  readonly read: ((report: unknown, output: string) => Outcome) | null;
}

const ROOT = join(import.meta.dirname, '..');
/** Failed tests that run once more alone: enough to know the cause of a few, without doubling a run that is all red. */
const MAX_RERUN = 10;
/** Lines of a message and of a log that are printed; the cause is at the start of a message and at the end of a log. */
const MAX_LINES = { message: 60, log: 40 };
const NOTHING: Outcome = { passed: 0, failed: 0, skips: [], failures: [], retried: [] };

/**
 * Runs steps one after the other; a failed step does not stop the next one. Prints a line for each step and keeps the
 * output of the runners back. Failures come last: test, message and log, then the totals. Returns whether all passed.
 */
export async function runSteps(steps: readonly Step[], print: (text: string) => void): Promise<boolean> {
  const startedAtMs = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'errata-test-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const total = { passed: 0, skipped: 0, retried: 0 };
  const failed: { readonly step: Step; readonly failure: Failure }[] = [];
  let notes = '';
  for (const step of steps) {
    // The name comes first: it says what runs meanwhile.
    print(step.name.padEnd(10));
    const { line, passed, skips, failures, retried } = await runStep(step, folder);
    print(line);
    total.passed += passed;
    total.skipped += skips.length;
    total.retried += retried.length;
    failed.push(...failures.map((failure) => ({ step, failure })));
    for (const name of retried) notes += `RETRIED ${step.name}: ${name}\n`;
    for (const [reason, { length }] of Map.groupBy(skips, (skip) => skip))
      notes += `SKIPPED ${length} of ${step.name}: ${reason}\n`;
  }
  print(notes);
  for (const { step, failure } of failed) print(failureText(step.name, failure));
  for (const [index, { step, failure }] of failed.entries())
    print(await verdict(step, failure, index < MAX_RERUN, folder));
  removeFolder();
  process.off('exit', removeFolder);
  print(`all in ${secondsSince(startedAtMs)} s, ${total.retried} retried\n`);
  print(`${total.passed} passed, ${failed.length} failed, ${total.skipped} skipped\n`);
  return failed.length === 0;
}

const secondsSince = (atMs: number): number => Math.round((performance.now() - atMs) / 1_000);

/** Runs a step, or one of its tests. The line is `9 passed, 0 failed, 0 skipped   15 s, 24 s of CPU`. */
async function runStep(step: Step, folder: string, alone: readonly string[] = []) {
  const place = mkdtempSync(join(folder, 'run-'));
  const [file, log] = [join(place, 'report.json'), join(place, 'output')];
  const startedAtMs = performance.now();
  const cpuBefore = cpuOfChildren();
  const status = await run(['-c', step.command, 'sh', ...alone], file, log);
  const cpu = cpuBefore === null ? '' : `, ${Math.round((cpuOfChildren() ?? 0) - cpuBefore)} s of CPU`;
  const outcome = outcomeOf(step, status, file, readFileSync(log, 'utf8').trim());
  const counts = `${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skips.length} skipped`;
  return { ...outcome, line: `${counts.padEnd(40)}${secondsSince(startedAtMs)} s${cpu}\n` };
}

/**
 * Runs a shell to its end with its output in a file, and returns its exit status or signal. A terminal sends SIGINT to the
 * program itself; SIGTERM is passed on to it. After one of them this process ends, once the program did.
 */
async function run(args: readonly string[], file: string, log: string): Promise<number | string> {
  const output = openSync(log, 'a');
  // Not detached: Linux gives each session the same part of the machine, and a proof beside busy loops would be too mild.
  const env = { ...process.env, FILE: file };
  const child = spawn('sh', args, { cwd: ROOT, env, stdio: ['ignore', output, output] });
  closeSync(output);
  let isInterrupted = false;
  const pass = (signal: NodeJS.Signals): void => {
    isInterrupted = true;
    if (signal === 'SIGTERM') child.kill(signal);
  };
  process.on('SIGINT', pass).on('SIGTERM', pass);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string];
  process.off('SIGINT', pass).off('SIGTERM', pass);
  if (isInterrupted) process.exit(130); // as shells do
  return code ?? signal;
}

/** Processor time of all ended children and their children, s: `cutime` and `cstime` of proc(5); null outside Linux. */
function cpuOfChildren(): number | null {
  if (!existsSync('/proc/self/stat')) return null;
  // The name of the program may contain spaces; fields are counted after its closing bracket.
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(13);
  // In ticks of 1/100 s on every Linux.
  return (Number(user) + Number(system)) / 100;
}

function outcomeOf({ read }: Step, status: number | string, file: string, log: string): Outcome {
  const broken = (message: string, passed = 0): Outcome => {
    const failure = { name: 'the whole step', message, log, alone: null };
    return { ...NOTHING, passed, failed: 1, failures: [failure] };
  };
  if (read === null) return status === 0 ? { ...NOTHING, passed: 1 } : broken(`ended with ${status}`);
  let outcome: Outcome;
  try {
    outcome = read(JSON.parse(readFileSync(file, 'utf8')), log);
  } catch {
    return broken(`wrote no report and ended with ${status}`);
  }
  if (outcome.passed + outcome.failed + outcome.skips.length === 0) return broken('ran no test');
  // A runner can fail without a failed test that it names: it crashed.
  const isGreen = status === 0 && outcome.failed === 0;
  return isGreen || outcome.failures.length > 0 ? outcome : broken(`ended with ${status}`, outcome.passed);
}

/** A failed test with the start of its message and the end of its log. */
function failureText(step: string, { name, message, log }: Failure): string {
  const body = message.split('\n').slice(0, MAX_LINES.message);
  if (log !== '') body.push('  -- its output:', ...log.split('\n').slice(-MAX_LINES.log));
  return `\n${step}: ${name}\n${body.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

/**
 * The line of a failed test. The test runs once more alone: its verdict stays, but one that passes alone has its cause
 * in the tests or processes beside it.
 */
async function verdict(step: Step, { name, message, alone }: Failure, runsAgain: boolean, folder: string) {
  // Jest's heading of an error outside of a test says nothing about the error.
  const cause = message.split('\n').find((line) => !/^\s*(● .*)?$/.test(line)) ?? '';
  // One line, so that the failures can be counted by lines.
  const line = `${step.name}: ${name}: ${cause}`.replaceAll(/\s+/g, ' ').trim();
  if (alone === null || !runsAgain) return `FAILED ${line}\n`;
  const { passed, failed } = await runStep(step, folder, alone);
  return `FAILED${failed === 0 && passed > 0 ? ', passed alone' : ' again'} ${line}\n`;
}
