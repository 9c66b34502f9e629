import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment, Trial } from '../experiment.ts';
import { hang, take } from '../parts/answers.ts';
import { judge } from '../parts/judge.ts';
import { deliveries } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome } from '../parts/waiting.ts';

const RATE = 100;
const SENDERS = 8;
const ROUND_MS = 1_000;
const TIMEOUT_MS = { gate: 1_000, short: 2_000, long: 10_000 } as const;
/** Timers of the HTTP client have a resolution of one second. */
const TIMEOUT_SLACK_MS = 2_000;
/** On a busy machine a tenth of a few milliseconds cannot be measured. */
const P99_SLACK_MS = 5;
/** The best round is compared, so that rare stalls of the bench do not count. */
const MEDIAN = 50;
/** Envelopes of the gate while the upstream hangs. */
const GATE_TOTAL = 100;
/** Code of a delivery that ended at the timeout for the headers of the response. */
const TIMEOUT_REASON = 'und_err_headers_timeout';

export const noAnswer: Experiment = {
  id: 'F2',
  fault: 'upstream accepts and never answers',
  target: 'cancelled after 10 s (2 s in the short form); intake p99 within 10 % of normal',
  run: async (trial) => {
    const rig = await startHanging(trial);
    await measureTimeout(trial, rig, TIMEOUT_MS[trial.form]);
    await compareIntake(trial, rig);
    await judge(rig, trial.findings, { atLeast: 100 });
  },
  gate: async (trial) => {
    const { findings } = trial;
    const rig = await startHanging(trial);
    const load = rig.load({ senders: SENDERS, total: GATE_TOTAL });
    await load.done();
    findings.equal('answered 200 while the upstream hangs', load.count(200), GATE_TOTAL);
    findings.equal('delivered', rig.upstream.takenTimes().size, 0);
    await mustCome(
      'the timeout of a delivery',
      async () => (await deliveries(rig.errata, 1, 'retry', TIMEOUT_REASON)) > 0,
    );
    rig.upstream.script = () => take();
    await judge(rig, findings, { atLeast: GATE_TOTAL });
  },
};

/** Starts Errata with an upstream that reads each request and does not answer. */
async function startHanging(trial: Trial): Promise<Rig> {
  const rig = await Rig.start(trial, {
    environment: { ERRATA_UPSTREAM_HEADERS_TIMEOUT: `${TIMEOUT_MS[trial.form]}ms` },
  });
  rig.upstream.script = hang;
  return rig;
}

/** Measures after what time Errata cancels a request without a response. Each attempt is one measurement. */
async function measureTimeout({ findings }: Trial, rig: Rig, timeoutMs: number): Promise<void> {
  const { upstream } = rig;
  await rig.send();
  await findings.timed(timeoutMs, async (times) => {
    const before = upstream.tookMs.length;
    // A check for no request in flight would be wrong: the next attempt may begin immediately.
    await mustCome('the end of a delivery', () => upstream.tookMs.length > before);
    const ms = upstream.tookMs[before] ?? 0;
    const isGood = ms >= timeoutMs - 500 && ms <= timeoutMs + TIMEOUT_SLACK_MS;
    times.add(isGood, `cancelled after ${(ms / 1_000).toFixed(1)} s (${timeoutMs / 1_000} s)`);
  });
}

/**
 * Rounds with and without the fault alternate, so that a slow moment of the machine hits both. Other processes can only
 * add time: the best round of each kind describes Errata best.
 */
function compareIntake({ findings, form }: Trial, rig: Rig): Promise<void> {
  return findings.timed(
    P99_SLACK_MS,
    async (times) => {
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
      times.atMost(`intake p99 normally ${best.toFixed(1)} ms, hanging`, Math.min(...hanging), limit, ' ms');
    },
    MEDIAN,
  );
}

async function p99(rig: Rig): Promise<number> {
  const load = rig.load({ senders: SENDERS, perSecond: RATE });
  await delay(ROUND_MS);
  await load.stop();
  const sorted = load.answers.map(({ ms }) => ms).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
