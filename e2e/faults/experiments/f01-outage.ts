import type { Experiment, Trial } from '../experiment.ts';
import type { Findings } from '../findings.ts';
import { hold, take } from '../parts/answers.ts';
import { FaultProxy } from '../parts/fault-proxy.ts';
import { judge } from '../parts/judge.ts';
import { Rig } from '../parts/rig.ts';
import { ScriptedUpstream } from '../parts/scripted-upstream.ts';
import { mustCome, since, WATCHDOG_MS } from '../parts/waiting.ts';

/**
 * The long scale has the documented limits. `maxRate` is that of the backlog (ERRATA_RELAY_MAX_RATE), and after
 * `outageAfterMs` an interruption counts as an outage, whose backlog is paced.
 */
const SHORT = {
  total: 600,
  perSecond: 100,
  backoffMinMs: 25,
  backoffMaxMs: 300,
  maxRate: 400,
  outageAfterMs: 2_000,
};
const LONG = {
  total: 30_000,
  perSecond: 50,
  backoffMinMs: 500,
  backoffMaxMs: 60_000,
  maxRate: 200,
  outageAfterMs: 10_000,
};
type Size = typeof SHORT;

const FRESH_LIMIT_S = 5;
/** The outage may last longer than its longest pause by this, for the timers of two processes. */
const PAUSE_SLACK_S = 0.5;
/** The project whose upstream always works: its envelopes show that the dispatchers have run. */
const HEALTHY = 2;

export const experiments: readonly Experiment[] = [
  { id: 'F1', fault: 'upstream down 10 min at 50/s', isLeftOut: true, run: loseUpstream },
];

async function loseUpstream(trial: Trial): Promise<void> {
  const { findings } = trial;
  const size = trial.scale === 'long' ? LONG : SHORT;
  await findings.timed(size.backoffMaxMs + PAUSE_SLACK_S * 1_000, async (times) => {
    const { rig, proxy } = await startBehindProxy(trial, size);
    await proxy.become({ kind: 'reset' });
    const startedAtMs = performance.now();
    const { total, perSecond } = size;
    const load = rig.load({ senders: 16, total, perSecond, kinds: ['error'] });
    await load.done();
    findings.equal('answered 200 in the outage', load.count(200), total);
    judgeBackoff(times, proxy.attemptsAtMs, since(startedAtMs), size);
    await recover(trial, rig, proxy);
    const sentAtMs = performance.now();
    const { made } = await rig.send();
    await mustCome('the new event', () => rig.hasArrived(made));
    times.atMost('a new event waited', since(sentAtMs) / 1_000, FRESH_LIMIT_S, ' s');
    await judge(rig, findings, { duplicates: 0, atLeast: total });
    judgeRates(times, rig, size);
    await rig.errata.kill();
  });
}

async function startBehindProxy(
  trial: Trial,
  { backoffMinMs, backoffMaxMs, outageAfterMs, maxRate }: Size,
): Promise<{ readonly rig: Rig; readonly proxy: FaultProxy }> {
  const upstream = new ScriptedUpstream();
  await upstream.up();
  const proxy = new FaultProxy(upstream.port);
  await proxy.up();
  trial.scratch.later(() => proxy.close());
  const rig = await Rig.start(trial, {
    upstream,
    projects: HEALTHY,
    dsn: upstream.dsn(1, '127.0.0.1', proxy.port),
    environment: {
      ERRATA_BACKOFF_MIN: `${backoffMinMs}ms`,
      ERRATA_BACKOFF_MAX: `${backoffMaxMs}ms`,
      ERRATA_OUTAGE_AFTER: `${outageAfterMs}ms`,
      // Errata must not give up the probe, whose answer the experiment holds.
      ERRATA_UPSTREAM_HEADERS_TIMEOUT: `${WATCHDOG_MS}ms`,
      ERRATA_RELAY_MAX_RATE: String(maxRate),
    },
  });
  return { rig, proxy };
}

/** Checks the pauses between attempts: they grow to the maximum and have jitter. */
function judgeBackoff(
  times: Findings,
  attemptsAtMs: readonly number[],
  outageMs: number,
  { backoffMaxMs }: Size,
): void {
  const gaps = attemptsAtMs.slice(1).map((at, index) => at - (attemptsAtMs[index] ?? 0));
  // The first failure hits all busy connections at the same time; the pauses begin after it.
  const pauses = gaps.slice(8);
  const longest = Math.max(0, ...pauses);
  times.atMost('longest pause', longest / 1_000, backoffMaxMs / 1_000 + PAUSE_SLACK_S, ' s');
  const leastTries = outageMs / backoffMaxMs / 2;
  const mostTries = 8 + 12 + (20 * outageMs) / backoffMaxMs;
  const tries = attemptsAtMs.length;
  times.add(
    tries >= leastTries && tries <= mostTries,
    `${tries} tries (${Math.round(leastTries)}-${Math.round(mostTries)})`,
  );
  // Pauses do not grow any more in the later half: the ratio is 0 without jitter and 0.58 with full jitter.
  const settled = pauses.slice(Math.floor(pauses.length / 2));
  const mean = settled.reduce((sum, pause) => sum + pause, 0) / settled.length;
  const spread = Math.sqrt(settled.reduce((sum, pause) => sum + (pause - mean) ** 2, 0) / settled.length);
  times.atLeast('jitter, deviation / mean of pauses', spread / mean, 0.2);
}

/**
 * Ends the outage and holds the answer to the first request. A second one before it would be no probe: an event of the
 * healthy project, which is sent and delivered meanwhile, gives it the time.
 */
async function recover({ findings }: Trial, rig: Rig, proxy: FaultProxy): Promise<void> {
  const { upstream } = rig;
  const probe = Promise.withResolvers<void>();
  let probes = 0;
  upstream.script = ({ project }) => {
    if (project === String(HEALTHY)) return take();
    probes += 1;
    return hold(probe.promise);
  };
  await proxy.become({ kind: 'pass' });
  await mustCome('a probe', () => probes > 0);
  const { made } = await rig.send('error', upstream.dsn(HEALTHY));
  await mustCome('the event of the healthy project', () => rig.hasArrived(made));
  findings.equal('probes at the same time', probes, 1);
  upstream.script = () => take();
  probe.resolve();
}

/** Checks the envelopes of each second: at most about twice those of the previous second, and at most the maximum. */
function judgeRates(times: Findings, { upstream }: Rig, { maxRate }: Size): void {
  const seen = upstream.seen.filter(({ project }) => project !== String(HEALTHY));
  const [first] = seen;
  if (first === undefined) return;
  const perSecond: number[] = [];
  for (const { atMs } of seen) {
    const second = Math.floor((atMs - first.atMs) / 1_000);
    perSecond[second] = (perSecond[second] ?? 0) + 1;
  }
  const rates = Array.from(perSecond, (count) => count ?? 0);
  times.atMost('fastest second of the drain', Math.max(...rates), maxRate * 1.25, '/s');
  // The seconds of the test and the steps of the server are not aligned: one second may contain two steps.
  const jumps = rates.slice(1).map((rate, index) => rate / Math.max(4, rates[index] ?? 0));
  times.atMost('steepest second, ratio', Math.max(1, ...jumps), 4);
  times.add((rates[0] ?? 0) <= 20, `first second of the drain ${rates[0]} (<= 20)`);
}
