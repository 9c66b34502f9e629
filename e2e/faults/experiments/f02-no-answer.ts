import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment, Trial } from '../experiment.ts';
import { hang, take } from '../parts/answers.ts';
import { judge } from '../parts/judge.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome } from '../parts/waiting.ts';

const RATE = 100;
const SENDERS = 8;
const ROUND_MS = 1_000;
/** Timers of the HTTP client have a resolution of one second. */
const TIMEOUT_SLACK_MS = 2_000;
/** On a busy machine a tenth of a few milliseconds cannot be measured. */
const P99_SLACK_MS = 5;

export const noAnswer: Experiment = {
  id: 'F2',
  fault: 'upstream accepts and never answers',
  target: 'cancelled after 10 s (2 s in the short form); intake p99 within 10 % of normal',
  run: async (trial) => {
    const timeoutMs = trial.form === 'long' ? 10_000 : 2_000;
    const rig = await Rig.start(trial, {
      environment: { ERRATA_UPSTREAM_HEADERS_TIMEOUT: `${timeoutMs}ms` },
    });
    await measureTimeout(trial, rig, timeoutMs);
    await compareIntake(trial, rig);
    await judge(rig, trial.findings, { atLeast: 100 });
  },
};

/** Measures after what time Errata cancels a request without a response. */
async function measureTimeout({ findings }: Trial, rig: Rig, timeoutMs: number): Promise<void> {
  const { upstream } = rig;
  upstream.script = hang;
  await rig.send();
  // A check for no request in flight would be wrong: the next attempt may begin immediately.
  await mustCome('the end of a delivery', () => upstream.tookMs.length > 0);
  const ms = upstream.tookMs[0] ?? 0;
  const isGood = ms >= timeoutMs - 500 && ms <= timeoutMs + TIMEOUT_SLACK_MS;
  findings.add(isGood, `cancelled after ${(ms / 1_000).toFixed(1)} s (${timeoutMs / 1_000} s)`);
}

/**
 * Rounds with and without the fault alternate, so that a slow moment of the machine hits both. Other processes can only
 * add time: the best round of each kind describes Errata best.
 */
async function compareIntake({ findings, form }: Trial, rig: Rig): Promise<void> {
  const normal: number[] = [];
  const hanging: number[] = [];
  for (let round = 0; round < (form === 'long' ? 20 : 4); round += 1) {
    rig.upstream.script = () => take();
    normal.push(await p99(rig));
    rig.upstream.script = hang;
    hanging.push(await p99(rig));
  }
  rig.upstream.script = () => take();
  const best = Math.min(...normal);
  const limit = Math.max(best * 1.1, best + P99_SLACK_MS);
  findings.atMost(`intake p99 normally ${best.toFixed(1)} ms, hanging`, Math.min(...hanging), limit, ' ms');
}

async function p99(rig: Rig): Promise<number> {
  const load = rig.load({ senders: SENDERS, perSecond: RATE });
  await delay(ROUND_MS);
  await load.stop();
  const sorted = load.answers.map(({ ms }) => ms).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
