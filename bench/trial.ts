import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, measure, type Measured } from './bench.ts';
import { readLedger } from './ledger.ts';
import type { Load } from './load.ts';
import type { RunningServer } from './running-server.ts';

/**
 * The backlog counts as flat when it is, at the end, at most so much work above its length once the load had settled:
 * it comes and goes by a batch of the store and a checkpoint of the disk.
 */
const SLACK_SECONDS = 0.1;
/** But never less than this many envelopes: at a low rate one slow fsync is more than that work. */
const LEAST_SLACK = 64;
/** Maximum share of the accepted envelopes that have not reached the upstream in the same time. */
const MAX_UNDELIVERED = 0.02;
/** A server that accepts less than this share of the offered rate is at its limit in another way. */
const MIN_ACCEPTED = 0.97;
/** A backlog of so many seconds of work does not go away again: the trial ends early, and its backlog sooner. */
const HOPELESS_SECONDS = 1;
/** So many looks at the backlog in one trial: each costs the server some 5 ms. */
const LOOKS_PER_TRIAL = 20;
/** Number of looks whose median is the queue at a time. */
const LOOKS = 3;

interface Look {
  readonly atMs: number;
  readonly accepted: number;
  readonly queued: number;
  readonly delivered: number;
}

/** One load at a given rate. */
export interface Trial extends Measured {
  /** Envelopes settled by all sinks, per second, from when the load had settled until its end. */
  readonly settledPerSecond: number;
  readonly queuedAtFirst: number;
  readonly queuedAtLast: number;
  /** What the server did not hold; null: the rate holds. */
  readonly fault: string | null;
}

interface TrialOptions extends Load {
  readonly rate: number;
  /** What the start of the load is given to settle. */
  readonly settleSeconds: number;
  /** False: always goes on for its whole time, for a figure of its own. */
  readonly mayEndEarly: boolean;
}

/** Offers a rate and watches the backlog. */
export async function runTrial(bench: Bench, server: RunningServer, options: TrialOptions): Promise<Trial> {
  const hopeless = new AbortController();
  const done = new AbortController();
  const looks = watch(bench, server, options, hopeless, done.signal);
  const measured = await measure(bench, server, options, { signal: hopeless.signal });
  done.abort();
  const settled = await looks;
  return { ...measured, ...judge(settled, measured, options, hopeless.signal.aborted) };
}

/** Looks at the queue until the load is done, and ends the load when that has become hopeless. */
async function watch(
  { upstream }: Bench,
  { managementPort }: RunningServer,
  { rate, seconds, settleSeconds, mayEndEarly }: TrialOptions,
  hopeless: AbortController,
  done: AbortSignal,
): Promise<readonly Look[]> {
  const looks: Look[] = [];
  const startedAtMs = performance.now();
  for (;;) {
    await delay((seconds * 1_000) / LOOKS_PER_TRIAL, undefined, { signal: done }).catch(() => {});
    if (done.aborted) return looks;
    const ledger = await readLedger(managementPort);
    const atMs = performance.now();
    if (atMs - startedAtMs < settleSeconds * 1_000) continue;
    looks.push({ ...ledger, atMs, delivered: await upstream.answered() });
    const first = looks[0]?.queued ?? 0;
    if (mayEndEarly && ledger.queued > first + rate * HOPELESS_SECONDS) hopeless.abort();
  }
}

function queued(looks: readonly Look[]): number {
  const sorted = looks.map((look) => look.queued).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function judge(
  looks: readonly Look[],
  { load }: Measured,
  options: TrialOptions,
  isHopeless: boolean,
): Pick<Trial, 'settledPerSecond' | 'queuedAtFirst' | 'queuedAtLast' | 'fault'> {
  const [queuedAtFirst, queuedAtLast] = [queued(looks.slice(0, LOOKS)), queued(looks.slice(-LOOKS))];
  const first = looks[0];
  const last = looks.at(-1);
  if (first === undefined || last === undefined || first === last) {
    return { settledPerSecond: Number.NaN, queuedAtFirst, queuedAtLast, fault: 'did not answer in time' };
  }
  const accepted = last.accepted - first.accepted;
  const seconds = (last.atMs - first.atMs) / 1_000;
  const growth = Math.max(LEAST_SLACK, options.rate * SLACK_SECONDS);
  const faults = [
    ...(load.notOk + load.broken > 0 ? ['refused some'] : []),
    ...(isHopeless || queuedAtLast > queuedAtFirst + growth ? ['backlog grew'] : []),
    ...(last.delivered - first.delivered < accepted * (1 - MAX_UNDELIVERED) ? ['delivered less'] : []),
    ...(accepted < options.rate * seconds * MIN_ACCEPTED ? ['accepted less'] : []),
  ];
  return {
    settledPerSecond: (accepted - (last.queued - first.queued)) / seconds,
    queuedAtFirst,
    queuedAtLast,
    fault: faults.length === 0 ? null : faults.join(', '),
  };
}
