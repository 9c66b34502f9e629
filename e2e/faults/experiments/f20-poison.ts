import type { Experiment, Trial } from '../experiment.ts';
import type { Findings } from '../findings.ts';
import { type Answer, hold, refuse, take } from '../parts/answers.ts';
import { type Made, MARK } from '../parts/envelopes.ts';
import { compare, judgeFresh } from '../parts/judge.ts';
import { emptied, fate } from '../parts/ledger.ts';
import type { Loader } from '../parts/loader.ts';
import { Rig } from '../parts/rig.ts';
import { ScriptedUpstream, type Seen } from '../parts/scripted-upstream.ts';
import { mustCome } from '../parts/waiting.ts';

interface Form {
  /** Number of poison envelopes, which the upstream answers with 500, of each project. */
  readonly poison: readonly number[];
  /** Rate of the good ones of each project. */
  readonly perSecond: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** Far longer than it takes to give up all poison envelopes. */
  readonly watchdogMs: number;
}

const SHORT: Form = {
  poison: [8, 30],
  perSecond: 20,
  backoffMinMs: 25,
  backoffMaxMs: 300,
  watchdogMs: 120_000,
};
/** The default pauses: the last poison envelope is given up after about ten minutes. */
const LONG: Form = {
  poison: [1, 8, 30, 300],
  perSecond: 2,
  backoffMinMs: 500,
  backoffMaxMs: 60_000,
  watchdogMs: 3_600_000,
};

const SLOWEST_LIMIT_S = 60;
const MEDIAN_LIMIT_S = 5;
/** Failed attempts after which an envelope is given up, if others are accepted between most of them. */
const MAX_TRIES = 20;

/** Envelopes of the gate. */
const POISON = 30;
const GOOD = 10;
/** The failed delivery and the probe, behind which the gate queues. */
const BEFORE_GOOD = 2;
/** Attempts of poison after which the experiment no longer waits for a good envelope. */
const ENOUGH_TRIES = 2 * POISON;
/** Good envelopes after which all poison is given up: far more acceptances than one may fail beside. */
const ENOUGH_GOOD = 25 * MAX_TRIES;
/** With one connection the order of attempts is that of the answers. */
const GATE = {
  ERRATA_UPSTREAM_CONNECTIONS: '1',
  ERRATA_BACKOFF_MIN: '10ms',
  ERRATA_BACKOFF_MAX: '50ms',
};

export const poison: Experiment = {
  id: 'F20',
  fault: 'the upstream answers 500 to some envelopes: 8 and 30; long form 1, 8, 30, 300',
  target: `each good one arrives within 60 s, p50 < 5 s; <= ${MAX_TRIES} attempts of poison, then a dead letter`,
  run: async (trial) => {
    const form = trial.form === 'long' ? LONG : SHORT;
    await trial.findings.timed(MEDIAN_LIMIT_S * 1_000, async (times) => {
      const rig = await startProjects(trial, form);
      rig.upstream.script = () => refuseMarked;
      const loads = await sendUntilGivenUp(rig, form);
      await judgeGood(trial, rig);
      for (const [index, count] of form.poison.entries()) {
        const seen = rig.upstream.seen.filter(({ project }) => project === String(index + 1));
        judgeTries(trial, seen, count);
        judgeWaits(times, rig, `beside ${count}`, loads[index]?.made ?? []);
      }
      await judgeEnd(trial, rig, sumOf(form.poison));
      await rig.errata.kill();
    });
  },
  gate: async (trial) => {
    const rig = await Rig.start(trial, { environment: GATE });
    trial.findings.equal('attempts of poison before a good one', await triesBeforeGood(rig), 0);
    await deliverUntilGivenUp(rig);
    await judgeGood(trial, rig);
    judgeTries(trial, rig.upstream.seen, POISON);
    await judgeEnd(trial, rig, POISON);
  },
};

/** The script for an upstream that cannot process the marked envelopes. */
function refuseMarked({ isMarked }: Pick<Seen, 'isMarked'>): Answer {
  return isMarked ? refuse(500) : take();
}

/**
 * Queues the poison of the gate and then good envelopes, while the upstream fails and holds the answer to a probe.
 * Returns the number of attempts of poison between this answer and the first attempt of a good one.
 */
export async function triesBeforeGood(rig: Rig): Promise<number> {
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
  return tries();
}

/** Delivers one good envelope after the other until all poison of the gate is given up. */
async function deliverUntilGivenUp(rig: Rig): Promise<void> {
  const { errata, upstream } = rig;
  for (let left = ENOUGH_GOOD; left > 0 && (await fate(errata, 'dead_lettered')) < POISON; left -= 1) {
    const { made } = await rig.send();
    await mustCome('a good one', () => upstream.seen.some(({ id }) => id === made.id));
  }
}

/** Starts Errata with a project for each number of poison envelopes. */
async function startProjects(trial: Trial, form: Form): Promise<Rig> {
  const upstream = new ScriptedUpstream();
  await upstream.up();
  const others = form.poison.slice(1).map((_, index) => upstream.dsn(index + 2));
  return Rig.start(trial, {
    upstream,
    environment: {
      ERRATA_TUNNEL_DSNS: others.join(','),
      ERRATA_BACKOFF_MIN: `${form.backoffMinMs}ms`,
      ERRATA_BACKOFF_MAX: `${form.backoffMaxMs}ms`,
    },
  });
}

/** Sends each project its poison, then good envelopes at a steady rate until all poison is given up. */
async function sendUntilGivenUp(rig: Rig, form: Form): Promise<readonly Loader[]> {
  const poisonLoads = form.poison.map((total, index) =>
    rig.load({ senders: 8, kinds: ['error'], total, message: MARK }, rig.upstream.dsn(index + 1)),
  );
  await Promise.all(poisonLoads.map((load) => load.done()));
  const loads = form.poison.map((_, index) =>
    rig.load({ senders: 4, kinds: ['error'], perSecond: form.perSecond }, rig.upstream.dsn(index + 1)),
  );
  const isGivenUp = async (): Promise<boolean> =>
    (await fate(rig.errata, 'dead_lettered')) >= sumOf(form.poison);
  await mustCome('the end of the poison', isGivenUp, form.watchdogMs);
  await Promise.all(loads.map((load) => load.stop()));
  return loads;
}

/** Checks that all good envelopes arrive. */
async function judgeGood({ findings }: Trial, rig: Rig): Promise<void> {
  await emptied(rig.errata);
  const marked = new Set(rig.upstream.seen.filter(({ isMarked }) => isMarked).map(({ id }) => id));
  const good = new Map([...rig.oracle.read()].filter(([id]) => !marked.has(id)));
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
function judgeWaits(times: Findings, { oracle, upstream }: Rig, where: string, made: readonly Made[]): void {
  const arrivedAtMs = new Map(upstream.seen.map(({ id, atMs }) => [id, atMs]));
  const owed = oracle.read();
  const waitsMs = made
    .filter(({ id }) => owed.has(id))
    .map(({ id }) => (arrivedAtMs.get(id) ?? Infinity) - (owed.get(id)?.atMs ?? 0))
    .toSorted((one, other) => one - other);
  const medianMs = waitsMs[Math.floor(waitsMs.length / 2)] ?? Infinity;
  times.atMost(`${where}: p50 of the waits`, Math.max(0, medianMs) / 1_000, MEDIAN_LIMIT_S, ' s');
  times.atMost(`${where}: the longest`, (waitsMs.at(-1) ?? Infinity) / 1_000, SLOWEST_LIMIT_S, ' s');
}

/** Checks that only the poison became dead letters. */
async function judgeEnd({ findings }: Trial, rig: Rig, poisonCount: number): Promise<void> {
  findings.equal('dead letters', await fate(rig.errata, 'dead_lettered'), poisonCount);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
  await judgeFresh(rig, findings);
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
