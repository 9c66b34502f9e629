import type { Experiment, Trial } from '../experiment.ts';
import type { Findings } from '../findings.ts';
import { hold, take } from '../parts/answers.ts';
import { judge } from '../parts/judge.ts';
import { emptied, fate } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome, WATCHDOG_MS } from '../parts/waiting.ts';

/** `maxRate` is that of the backlog; with the age `outageAfter` the oldest envelope is one of an outage. */
const SCALES = {
  gate: { queued: 17, perSecond: undefined, maxRate: 1, outageAfter: '1ms' },
  /** The backlog is three seconds old. */
  short: { queued: 3_000, perSecond: 1_000, maxRate: 2_000, outageAfter: '1s' },
  long: { queued: 30_000, perSecond: 1_000, maxRate: 200, outageAfter: '10s' },
} as const;

/** The rate doubles each second: 1 + 2 + 4 + 8 + 16 envelopes, and some of the next step. */
const FIRST_S = 5;
const FIRST_LIMIT = 40;
const DRAIN_LIMIT_S = 200;

/** Without a limit of the rate the whole first window, 16, is in flight; with one envelope a second this takes 16 s. */
const WINDOW = 15;
/** The project without a backlog. */
const HEALTHY = 2;

export const experiments: readonly Experiment[] = [
  {
    id: 'F27',
    fault: 'kill -9 in an outage with 30,000 envelopes queued; the upstream is back before the start',
    run: restartWithBacklog,
  },
];

async function restartWithBacklog(trial: Trial): Promise<void> {
  const { findings } = trial;
  const { queued, perSecond, maxRate, outageAfter } = SCALES[trial.scale];
  await findings.timed(FIRST_S * 1_000, async (times) => {
    const before = await Rig.start(trial);
    const { upstream, errata } = before;
    await upstream.down();
    const load = before.load({ senders: 16, total: queued, perSecond, kinds: ['error'] });
    await load.done();
    findings.equal('answered 200 in the outage', load.count(200), queued);
    await errata.kill();
    const counted = Promise.withResolvers<void>();
    upstream.script = ({ project }) => (project === String(HEALTHY) ? take() : hold(counted.promise));
    await upstream.up();
    const rig = await Rig.start(trial, {
      upstream,
      projects: HEALTHY,
      dataDir: errata.dataDir,
      environment: {
        ERRATA_OUTAGE_AFTER: outageAfter,
        ERRATA_RELAY_MAX_RATE: String(maxRate),
        ERRATA_UPSTREAM_HEADERS_TIMEOUT: `${WATCHDOG_MS}ms`,
      },
    });
    for (const [id, obligation] of before.obligations) rig.obligations.set(id, obligation);
    await judgePace(trial, rig);
    counted.resolve();
    await emptied(rig.errata);
    judgeRates(times, rig, queued);
    await judge(rig, findings, { duplicates: 0, atLeast: queued });
    await rig.errata.kill();
  });
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
  await mustCome('the event of the healthy project', () => rig.hasArrived(made));
  await mustCome('its settlement', async () => (await fate(rig.errata, 'delivered')) > 0);
  findings.atMost('requests without an answer', backlog(), WINDOW);
}

function judgeRates(times: Findings, { upstream }: Rig, queued: number): void {
  const atMs = upstream.seen.map((seen) => seen.atMs);
  const firstAtMs = atMs[0] ?? 0;
  const early = atMs.filter((at) => at < firstAtMs + FIRST_S * 1_000).length;
  times.atMost(`requests in the first ${FIRST_S} s`, early, FIRST_LIMIT);
  const drainS = ((atMs.at(-1) ?? Infinity) - firstAtMs) / 1_000;
  times.atMost(`${queued.toLocaleString('en')} arrived within`, drainS, DRAIN_LIMIT_S, ' s');
}
