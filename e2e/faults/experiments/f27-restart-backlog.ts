import type { Experiment, Trial } from '../experiment.ts';
import type { Findings } from '../findings.ts';
import { hang, take } from '../parts/answers.ts';
import { judge } from '../parts/judge.ts';
import { emptied, fate } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { ScriptedUpstream } from '../parts/scripted-upstream.ts';
import { mustCome, WATCHDOG_MS } from '../parts/waiting.ts';

interface Form {
  readonly queued: number;
  readonly perSecond: number;
  /** Maximum rate of the backlog, envelopes a second (ERRATA_RELAY_MAX_RATE). */
  readonly maxRate: number;
  /** Age with which the oldest envelope is the backlog of an outage. */
  readonly outageAfterMs: number;
}

/** The backlog of the short form is three seconds old. */
const SHORT: Form = { queued: 3_000, perSecond: 1_000, maxRate: 2_000, outageAfterMs: 1_000 };
const LONG: Form = { queued: 30_000, perSecond: 1_000, maxRate: 200, outageAfterMs: 10_000 };

/** The rate doubles each second: 1 + 2 + 4 + 8 + 16 envelopes, and some of the next step. */
const FIRST_S = 5;
const FIRST_LIMIT = 40;
const DRAIN_LIMIT_S = 200;

/** Envelopes of the gate: more than are in flight to an upstream at the start. */
const GATE_HELD = 200;
/** Without a limit of the rate the whole first window, 16, is in flight; with one envelope a second this takes 16 s. */
const GATE_LIMIT = 15;
/** The project without a backlog. */
const HEALTHY = 2;

export const restartBacklog: Experiment = {
  id: 'F27',
  fault: 'kill -9 in an outage with 30,000 envelopes queued [3,000]; the upstream is back before the start',
  target: `first ${FIRST_S} s: <= ${FIRST_LIMIT} requests; all arrive, 30,000 within ${DRAIN_LIMIT_S} s`,
  run: async (trial) => {
    const form = trial.form === 'long' ? LONG : SHORT;
    await trial.findings.timed(FIRST_S * 1_000, async (times) => {
      const rig = await startHolding(trial, form.queued, form.perSecond);
      const later = await restart(trial, rig, {
        ERRATA_OUTAGE_AFTER: `${form.outageAfterMs}ms`,
        ERRATA_RELAY_MAX_RATE: String(form.maxRate),
      });
      await emptied(later.errata);
      judgeRates(times, later, form);
      await judge(later, trial.findings, { duplicates: 0, atLeast: form.queued });
      await later.errata.kill();
    });
  },
  gate: async (trial) => {
    const rig = await startHolding(trial, GATE_HELD);
    rig.upstream.script = ({ project }) => (project === String(HEALTHY) ? take() : hang());
    const paced = await restart(trial, rig, { ERRATA_OUTAGE_AFTER: '1ms', ERRATA_RELAY_MAX_RATE: '1' });
    await judgePace(trial, paced);
    await paced.errata.kill();
    rig.upstream.script = () => take();
    const unpaced = await restart(trial, rig, { ERRATA_OUTAGE_AFTER: '1d' });
    await judge(unpaced, trial.findings, { duplicates: 0, atLeast: GATE_HELD });
  },
};

/** Sends envelopes while no upstream listens, and kills Errata; then the upstream listens again. */
async function startHolding(trial: Trial, queued: number, perSecond?: number): Promise<Rig> {
  const upstream = new ScriptedUpstream();
  await upstream.up();
  const rig = await Rig.start(trial, { upstream });
  await upstream.down();
  const rate = perSecond === undefined ? {} : { perSecond };
  const load = rig.load({ senders: 16, total: queued, kinds: ['error'], ...rate });
  await load.done();
  trial.findings.equal('answered 200 in the outage', load.count(200), queued);
  await rig.errata.kill();
  await upstream.up();
  return rig;
}

/** Starts Errata with other settings on the disk of one that was killed. */
function restart(
  trial: Trial,
  { upstream, errata }: Rig,
  settings: Readonly<Record<string, string>>,
): Promise<Rig> {
  const environment = {
    ...settings,
    ERRATA_TUNNEL_DSNS: upstream.dsn(HEALTHY),
    ERRATA_UPSTREAM_HEADERS_TIMEOUT: `${WATCHDOG_MS}ms`,
  };
  return Rig.start(trial, { upstream, dataDir: errata.dataDir, environment });
}

/**
 * Counts the requests that reach the upstream before it answers one of them. An event of the healthy project, which is
 * sent and delivered meanwhile, gives Errata the time for too many.
 */
async function judgePace({ findings }: Trial, rig: Rig): Promise<void> {
  const { upstream } = rig;
  const backlog = (): number => upstream.seen.filter(({ project }) => project !== String(HEALTHY)).length;
  await mustCome('the first of the backlog', () => backlog() > 0);
  const { made } = await rig.send('error', upstream.dsn(HEALTHY));
  await mustCome('the event of the healthy project', () => upstream.seen.some(({ id }) => id === made.id));
  await mustCome('its settlement', async () => (await fate(rig.errata, 'delivered')) > 0);
  findings.atMost('requests without an answer', backlog(), GATE_LIMIT);
}

function judgeRates(times: Findings, { upstream }: Rig, { queued }: Form): void {
  const atMs = upstream.seen.map((seen) => seen.atMs);
  const firstAtMs = atMs[0] ?? 0;
  const early = atMs.filter((at) => at < firstAtMs + FIRST_S * 1_000).length;
  times.atMost(`requests in the first ${FIRST_S} s`, early, FIRST_LIMIT);
  const drainS = ((atMs.at(-1) ?? Infinity) - firstAtMs) / 1_000;
  times.atMost(`${queued.toLocaleString('en')} arrived within`, drainS, DRAIN_LIMIT_S, ' s');
}
