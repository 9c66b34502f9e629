import type { Experiment, Trial } from '../experiment.ts';
import { slow, take } from '../parts/answers.ts';
import { FaultProxy } from '../parts/fault-proxy.ts';
import { judge } from '../parts/judge.ts';
import { Rig } from '../parts/rig.ts';
import { ScriptedUpstream } from '../parts/scripted-upstream.ts';
import { mustCome, since } from '../parts/waiting.ts';

interface Form {
  readonly perSecond: number;
  readonly seconds: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** Maximum rate of the backlog, envelopes a second (ERRATA_RELAY_MAX_RATE). */
  readonly maxRate: number;
  /** Length after which an interruption counts as an outage, whose backlog is paced. */
  readonly outageAfterMs: number;
}

/** The long form tests the documented limits; the short form has shorter times and pauses. */
const SHORT: Form = {
  perSecond: 100,
  seconds: 6,
  backoffMinMs: 25,
  backoffMaxMs: 300,
  maxRate: 400,
  outageAfterMs: 2_000,
};
const FULL: Form = {
  perSecond: 50,
  seconds: 600,
  backoffMinMs: 500,
  backoffMaxMs: 60_000,
  maxRate: 200,
  outageAfterMs: 10_000,
};

/** The first response after the outage is slow, so that a second request before it is detected. */
const PROBE_ANSWER_MS = 300;
const FRESH_LIMIT_S = 5;

export const outage: Experiment = {
  id: 'F1',
  fault: 'upstream down 10 min at 50/s',
  target:
    '30,000 of 30,000 arrive; backoff 0.5-60 s with full jitter; one probe, then the rate doubles each second up to 200/s; a new event waits <= 5 s',
  run: async (trial) => {
    const form = trial.form === 'long' ? FULL : SHORT;
    const upstream = new ScriptedUpstream();
    await upstream.up();
    const proxy = new FaultProxy(upstream.port);
    await proxy.up();
    trial.scratch.later(() => proxy.close());
    const rig = await Rig.start(trial, {
      upstream,
      dsn: upstream.dsn(1, '127.0.0.1', proxy.port),
      environment: {
        ERRATA_BACKOFF_MIN: `${form.backoffMinMs}ms`,
        ERRATA_BACKOFF_MAX: `${form.backoffMaxMs}ms`,
        ERRATA_OUTAGE_AFTER: `${form.outageAfterMs}ms`,
        ERRATA_RELAY_MAX_RATE: String(form.maxRate),
      },
    });
    await proxy.become({ kind: 'reset' });
    const total = form.perSecond * form.seconds;
    const load = rig.load({ senders: 16, perSecond: form.perSecond, total, kinds: ['error'] });
    await load.done();
    trial.findings.equal('answered 200 in the outage', load.count(200), total);
    judgeBackoff(trial, proxy.attemptsAtMs, form);
    await recover(trial, rig, proxy);
    await judge(rig, trial.findings, {
      duplicates: 0,
      atLeast: total,
    });
    judgeRates(trial, rig, form);
  },
};

/** Checks the pauses between attempts: they grow to the maximum and have jitter. */
function judgeBackoff({ findings }: Trial, attemptsAtMs: readonly number[], form: Form): void {
  const gaps = attemptsAtMs.slice(1).map((at, index) => at - (attemptsAtMs[index] ?? 0));
  // The first failure hits all busy connections at the same time; the pauses begin after it.
  const pauses = gaps.slice(8);
  const longest = Math.max(0, ...pauses);
  findings.atMost('longest pause', longest / 1_000, form.backoffMaxMs / 1_000 + 0.5, ' s');
  const leastTries = (form.seconds * 1_000) / form.backoffMaxMs / 2;
  const mostTries = 8 + 12 + (20 * form.seconds * 1_000) / form.backoffMaxMs;
  const tries = attemptsAtMs.length;
  findings.add(
    tries >= leastTries && tries <= mostTries,
    `${tries} tries (${Math.round(leastTries)}-${Math.round(mostTries)})`,
  );
  // Pauses do not grow any more in the later half: the ratio is 0 without jitter and 0.58 with full jitter.
  const settled = pauses.slice(Math.floor(pauses.length / 2));
  const mean = settled.reduce((sum, pause) => sum + pause, 0) / settled.length;
  const spread = Math.sqrt(settled.reduce((sum, pause) => sum + (pause - mean) ** 2, 0) / settled.length);
  findings.atLeast('jitter, deviation / mean of pauses', spread / mean, 0.2);
}

/** Checks that the upstream gets one probe, and that a new event does not wait behind the backlog. */
async function recover({ findings }: Trial, rig: Rig, proxy: FaultProxy): Promise<void> {
  const { upstream } = rig;
  upstream.script = () => (upstream.seen.length === 0 ? slow(PROBE_ANSWER_MS) : take());
  upstream.mostUnderWay = 0;
  await proxy.become({ kind: 'pass' });
  await mustCome('a probe', () => upstream.underWay > 0);
  await mustCome('its end', () => upstream.seen.length > 1 || upstream.underWay === 0);
  findings.equal('probes at the same time', upstream.mostUnderWay, 1);
  upstream.script = () => take();
  const sentAtMs = performance.now();
  const { made } = await rig.send();
  await mustCome('the new event', () => upstream.seen.some(({ id }) => id === made.id));
  findings.atMost('a new event waited', since(sentAtMs) / 1_000, FRESH_LIMIT_S, ' s');
}

/** Checks the envelopes of each second: at most about twice those of the previous second, and at most the maximum. */
function judgeRates({ findings }: Trial, { upstream }: Rig, { maxRate }: Form): void {
  const [first] = upstream.seen;
  if (first === undefined) return;
  const perSecond: number[] = [];
  for (const { atMs } of upstream.seen) {
    const second = Math.floor((atMs - first.atMs) / 1_000);
    perSecond[second] = (perSecond[second] ?? 0) + 1;
  }
  const rates = Array.from(perSecond, (count) => count ?? 0);
  findings.atMost('fastest second of the drain', Math.max(...rates), maxRate * 1.25, '/s');
  // The seconds of the test and the steps of the server are not aligned: one second may contain two steps.
  const jumps = rates.slice(1).map((rate, index) => rate / Math.max(4, rates[index] ?? 0));
  findings.atMost('steepest second, ratio', Math.max(1, ...jumps), 4);
  findings.add((rates[0] ?? 0) <= 20, `first second of the drain ${rates[0]} (<= 20)`);
}
