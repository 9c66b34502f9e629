import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment, Trial } from '../experiment.ts';
import { hang, take } from '../parts/answers.ts';
import { judge } from '../parts/judge.ts';
import { deliveries } from '../parts/ledger.ts';
import { percentile } from '../parts/percentile.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome } from '../parts/waiting.ts';

const RATE = 100;
const SENDERS = 8;
const ROUND_MS = 1_000;
/** `rounds` is the number of comparisons of the durations of answers. */
const SHORT = { timeoutMs: 2_000, rounds: 4 };
const LONG = { timeoutMs: 10_000, rounds: 20 };
/** Timers of the HTTP client have a resolution of one second. */
const TIMEOUT_SLACK_MS = 2_000;
/** On a busy machine a tenth of a few milliseconds cannot be measured. */
const P99_SLACK_MS = 5;
/** The best round is compared, so that rare stalls of the bench do not count. */
const MEDIAN = 50;
/** Envelopes that are sent while the upstream hangs. */
const TOTAL = 100;
/** Code of a delivery that ended at the timeout for the headers of the response. */
const TIMEOUT_REASON = 'und_err_headers_timeout';

export const experiments: readonly Experiment[] = [
  { id: 'F2', fault: 'upstream accepts and never answers', isLeftOut: true, run: hangUpstream },
];

async function hangUpstream(trial: Trial): Promise<void> {
  const { findings, scale } = trial;
  const { timeoutMs, rounds } = scale === 'long' ? LONG : SHORT;
  const rig = await Rig.start(trial, {
    environment: { ERRATA_UPSTREAM_HEADERS_TIMEOUT: `${timeoutMs}ms` },
  });
  rig.upstream.script = hang;
  await measureTimeout(trial, rig, timeoutMs);
  const load = rig.load({ senders: SENDERS, total: TOTAL });
  await load.done();
  findings.equal('answered 200 while the upstream hangs', load.count(200), TOTAL);
  findings.equal('delivered', rig.upstream.takenTimes().size, 0);
  await mustCome(
    'the timeout of a delivery',
    async () => (await deliveries(rig.errata, 1, 'retry', TIMEOUT_REASON)) > 0,
  );
  await compareIntake(trial, rig, rounds);
  rig.upstream.script = () => take();
  await judge(rig, findings, { atLeast: TOTAL });
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
function compareIntake({ findings }: Trial, rig: Rig, rounds: number): Promise<void> {
  return findings.timed(
    P99_SLACK_MS,
    async (times) => {
      const normal: number[] = [];
      const hanging: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        rig.upstream.script = () => take();
        normal.push(await p99(rig));
        rig.upstream.script = hang;
        hanging.push(await p99(rig));
      }
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
  return percentile(load.answers, 99);
}
