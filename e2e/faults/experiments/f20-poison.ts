import type { Experiment, Trial } from '../experiment.ts';
import type { Findings } from '../findings.ts';
import { type Answer, hold, refuse, take } from '../parts/answers.ts';
import { brokenCopy, type Patch } from '../parts/broken-copy.ts';
import { type Made, MARK } from '../parts/envelopes.ts';
import { compare, judgeFresh } from '../parts/judge.ts';
import { emptied, fate } from '../parts/ledger.ts';
import type { Loader } from '../parts/loader.ts';
import { Rig, type RigOptions } from '../parts/rig.ts';
import type { Seen } from '../parts/scripted-upstream.ts';
import { mustCome } from '../parts/waiting.ts';

/**
 * Numbers of poison envelopes, which the upstream answers with 500, of each project, and the rate of its good ones. The
 * long scale has the default pauses: the last poison envelope is given up after about ten minutes.
 */
const SHORT = {
  poison: [8, 30],
  perSecond: 20,
  backoff: { ERRATA_BACKOFF_MIN: '25ms', ERRATA_BACKOFF_MAX: '300ms' },
  watchdogMs: 120_000,
};
const LONG = {
  poison: [1, 8, 30, 300],
  perSecond: 2,
  backoff: { ERRATA_BACKOFF_MIN: '500ms', ERRATA_BACKOFF_MAX: '60s' },
  watchdogMs: 3_600_000,
};

const SLOWEST_LIMIT_S = 60;
const MEDIAN_LIMIT_S = 5;
/** Failed attempts after which an envelope is given up, if others are accepted between most of them. */
const MAX_TRIES = 20;

/** Envelopes whose order counts, behind a failed delivery and a probe. */
const POISON = 30;
const GOOD = 10;
const BEFORE_GOOD = 2;
/** Attempts of poison after which the experiment no longer waits for a good envelope. */
const ENOUGH_TRIES = 2 * POISON;
/** With one connection the order of attempts is that of the answers. */
const ONE_BY_ONE = {
  ERRATA_UPSTREAM_CONNECTIONS: '1',
  ERRATA_BACKOFF_MIN: '10ms',
  ERRATA_BACKOFF_MAX: '50ms',
};
/** The probe of a failing upstream is the oldest error that was not tried. */
const PROBE_OLDEST: readonly Patch[] = [
  { file: 'relay/queue-reader.js', pattern: /queue\.readNewest\(\)/g, replacement: 'queue.readOldest()' },
];

export const experiments: readonly Experiment[] = [
  {
    id: 'F20',
    fault: 'the upstream answers 500 to some envelopes: 8 and 30; long form 1, 8, 30, 300',
    run: poison,
  },
  { id: 'C20', fault: 'control: the probe takes the oldest envelope', run: probeOldest },
];

async function poison(trial: Trial): Promise<void> {
  const { findings } = trial;
  findings.equal('attempts of poison before a good one', await triesBeforeGood(trial), 0);
  // When poison is given up, poison.spec.ts proves; here is measured how long good ones wait beside it.
  if (trial.scale === 'gate') return;
  const size = trial.scale === 'long' ? LONG : SHORT;
  await findings.timed(MEDIAN_LIMIT_S * 1_000, async (times) => {
    const rig = await Rig.start(trial, { projects: size.poison.length, environment: size.backoff });
    rig.upstream.script = () => refuseMarked;
    const loads = await sendUntilGivenUp(rig, size);
    await judgeGood(trial, rig);
    for (const [index, count] of size.poison.entries()) {
      const seen = rig.upstream.seen.filter(({ project }) => project === String(index + 1));
      judgeTries(trial, seen, count);
      judgeWaits(times, rig, `beside ${count}`, loads[index]?.made ?? []);
    }
    findings.equal('dead letters', await fate(rig.errata, 'dead_lettered'), sumOf(size.poison));
    findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
    await judgeFresh(rig, findings);
    await rig.errata.kill();
  });
}

/** The poison in front of the good envelopes is tried first. */
async function probeOldest(trial: Trial): Promise<void> {
  const root = brokenCopy(trial.scratch, 'oldest-first', PROBE_OLDEST);
  trial.findings.atLeast('attempts of poison before a good one', await triesBeforeGood(trial, { root }), 1);
}

/** The script for an upstream that cannot process the marked envelopes. */
function refuseMarked({ isMarked }: Pick<Seen, 'isMarked'>): Answer {
  return isMarked ? refuse(500) : take();
}

/**
 * Queues poison and then good envelopes, while the upstream fails and holds the answer to a probe.
 * Returns the number of attempts of poison between this answer and the first attempt of a good one.
 */
async function triesBeforeGood(trial: Trial, rigOptions: RigOptions = {}): Promise<number> {
  const rig = await Rig.start(trial, { ...rigOptions, environment: ONE_BY_ONE });
  const { upstream } = rig;
  const probe = Promise.withResolvers<void>();
  upstream.script = ({ before }) => {
    if (before === 0) return refuse(503);
    return before === 1 ? hold(probe.promise, refuse(500)) : refuseMarked;
  };
  await rig.send('error', rig.dsn, { message: MARK });
  await mustCome('a probe', () => upstream.seen.length > 1);
  const options = { senders: 8, kinds: ['error'] } as const;
  await rig.load({ ...options, total: POISON - 1, message: MARK }).done();
  await rig.load({ ...options, total: GOOD }).done();
  probe.resolve();
  const isGood = ({ isMarked }: Seen): boolean => !isMarked;
  const tries = (): number => {
    const good = upstream.seen.findIndex(isGood);
    return (good === -1 ? upstream.seen.length : good) - BEFORE_GOOD;
  };
  await mustCome('a good one', () => upstream.seen.some(isGood) || tries() >= ENOUGH_TRIES);
  await rig.errata.kill();
  return tries();
}

/** Sends each project its poison, then good envelopes at a steady rate until all poison is given up. */
async function sendUntilGivenUp(rig: Rig, size: typeof SHORT): Promise<readonly Loader[]> {
  const poisonLoads = size.poison.map((total, index) =>
    rig.load({ senders: 8, kinds: ['error'], total, message: MARK }, rig.upstream.dsn(index + 1)),
  );
  await Promise.all(poisonLoads.map((load) => load.done()));
  const loads = size.poison.map((_, index) =>
    rig.load({ senders: 4, kinds: ['error'], perSecond: size.perSecond }, rig.upstream.dsn(index + 1)),
  );
  const isGivenUp = async (): Promise<boolean> =>
    (await fate(rig.errata, 'dead_lettered')) >= sumOf(size.poison);
  await mustCome('the end of the poison', isGivenUp, size.watchdogMs);
  await Promise.all(loads.map((load) => load.stop()));
  return loads;
}

/** Checks that all good envelopes arrive. */
async function judgeGood({ findings }: Trial, rig: Rig): Promise<void> {
  await emptied(rig.errata);
  const marked = new Set(rig.upstream.seen.filter(({ isMarked }) => isMarked).map(({ id }) => id));
  const good = new Map([...rig.obligations].filter(([id]) => !marked.has(id)));
  const { lost, changed, duplicates } = compare(good, rig, 0);
  findings.add(lost.length === 0 && good.size >= GOOD, `${lost.length} lost of ${good.size} good ones`);
  findings.equal('changed', changed.length, 0);
  findings.equal('duplicates', duplicates, 0);
}

/** Checks the attempts of each poison envelope. */
function judgeTries({ findings }: Trial, seen: readonly Seen[], count: number): void {
  const tries = new Map<string | null, number>();
  for (const { id, isMarked } of seen) if (isMarked) tries.set(id, (tries.get(id) ?? 0) + 1);
  findings.equal('poison tried', tries.size, count);
  findings.atMost('attempts of one, at most', Math.max(0, ...tries.values()), MAX_TRIES);
}

/** Checks how long good envelopes waited between their 200 and their arrival. */
function judgeWaits(
  times: Findings,
  { obligations, upstream }: Rig,
  where: string,
  made: readonly Made[],
): void {
  const arrivedAtMs = new Map(upstream.seen.map(({ id, atMs }) => [id, atMs]));
  const waitsMs = made
    .filter(({ id }) => obligations.has(id))
    .map(({ id }) => (arrivedAtMs.get(id) ?? Infinity) - (obligations.get(id)?.atMs ?? 0))
    .toSorted((one, other) => one - other);
  const medianMs = waitsMs[Math.floor(waitsMs.length / 2)] ?? Infinity;
  times.atMost(`${where}: p50 of the waits`, Math.max(0, medianMs) / 1_000, MEDIAN_LIMIT_S, ' s');
  times.atMost(`${where}: the longest`, (waitsMs.at(-1) ?? Infinity) / 1_000, SLOWEST_LIMIT_S, ' s');
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
