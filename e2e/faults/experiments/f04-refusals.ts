import type { Experiment, Trial } from '../experiment.ts';
import { hold, refuse, take } from '../parts/answers.ts';
import { MARK, type Made } from '../parts/envelopes.ts';
import { compare } from '../parts/judge.ts';
import { deliveries, emptied, fate, readMetrics } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { ScriptedUpstream } from '../parts/scripted-upstream.ts';
import { mustCome } from '../parts/waiting.ts';

/** The upstream's response statuses, by project; those of DEAD are for one envelope among others. */
const RETRIED = { project: 1, statuses: [503, 500, 502, 504] } as const;
const DEAD = [
  { project: 2, status: 413 },
  { project: 3, status: 400 },
] as const;
const PAUSED = [
  { project: 4, status: 401 },
  { project: 5, status: 403 },
] as const;
/** Number of consecutive 401, 403 or 404 responses that count as a wrong key. */
const PAUSE_AFTER = 5;
const SENT_TO_PAUSED = 12;
const PROJECTS = 5;

export const refusals: Experiment = {
  id: 'F4',
  fault: '5xx, 413, 400, 401/403',
  target:
    '5xx: retried; 400, 413: dead letter after the second refusal; 401, 403: DSN paused after 5 and the metric raised; 0 lost',
  run: refuseInAllWays,
  gate: refuseInAllWays,
};

async function refuseInAllWays(trial: Trial): Promise<void> {
  const upstream = new ScriptedUpstream();
  await upstream.up();
  const dsns = Array.from({ length: PROJECTS }, (_, index) => upstream.dsn(index + 1));
  const rig = await Rig.start(trial, {
    upstream,
    environment: { ERRATA_TUNNEL_DSNS: dsns.slice(1).join(',') },
  });
  const statusOf = new Map(PAUSED.map(({ project, status }) => [String(project), status]));
  upstream.script = ({ project, before }) => {
    if (project === String(RETRIED.project)) {
      const status = RETRIED.statuses[before];
      return status === undefined ? take() : refuse(status);
    }
    return refuse(statusOf.get(project) ?? 500);
  };
  await judgeRetried(trial, rig);
  const script = upstream.script;
  for (const { project, status } of DEAD) await judgeRefused(trial, rig, project, status);
  upstream.script = script;
  for (const { project, status } of PAUSED) await judgePaused(trial, rig, project, status);
  await judgeMended(trial, rig);
}

async function judgeRetried({ findings }: Trial, rig: Rig): Promise<void> {
  const { id } = await arrive(rig);
  const attempts = rig.upstream.seen.filter((seen) => seen.id === id).length;
  findings.equal(`attempts with ${RETRIED.statuses.join(', ')}:`, attempts, RETRIED.statuses.length + 1);
}

/** Sends an event to the project that works, and waits until it is delivered: all dispatchers have run meanwhile. */
async function arrive(rig: Rig): Promise<Made> {
  const { made } = await rig.send();
  const isThere = (): boolean => rig.upstream.seen.some(({ id, wasTaken }) => id === made.id && wasTaken);
  await mustCome('an event of the project that works', isThere);
  return made;
}

/**
 * Refuses one envelope of a project and accepts the others. The second refusal waits until another envelope was
 * accepted since the first one, so that it is the last one.
 */
export async function judgeRefused(
  { findings }: Trial,
  rig: Rig,
  project: number,
  status: number,
): Promise<void> {
  const { errata, upstream } = rig;
  const dsn = upstream.dsn(project);
  const acceptance = Promise.withResolvers<void>();
  const tries = (): number =>
    upstream.seen.filter((seen) => seen.project === String(project) && seen.isMarked).length;
  upstream.script =
    () =>
    ({ isMarked }) => {
      if (!isMarked) return take();
      return tries() === 0 ? refuse(status) : hold(acceptance.promise, refuse(status));
    };
  const deadBefore = await fate(errata, 'dead_lettered');
  const dead = async (): Promise<number> => (await fate(errata, 'dead_lettered')) - deadBefore;
  await rig.send('error', dsn, { message: MARK });
  await mustCome('a second attempt, or a dead letter', async () => tries() > 1 || (await dead()) > 0);
  await rig.send('error', dsn);
  await mustCome('another one', async () => (await deliveries(errata, project, 'delivered')) > 0);
  acceptance.resolve();
  await mustCome('a dead letter', async () => (await dead()) > 0);
  findings.equal(`dead letters after a ${status} for one envelope:`, await dead(), 1);
  findings.equal('attempts:', tries(), 2);
}

async function judgePaused({ findings }: Trial, rig: Rig, project: number, status: number): Promise<void> {
  const dsn = rig.upstream.dsn(project);
  const tries = (): number => rig.upstream.seen.filter((seen) => seen.project === String(project)).length;
  const series = new RegExp(`^errata_\\w*paused\\w*\\{[^}]*/${project} [^}]*\\} [1-9]`);
  // One at first: rejections of several in flight count as one.
  await rig.send('error', dsn);
  await mustCome('the metric of a paused DSN', async () =>
    (await readMetrics(rig.errata)).some((line) => series.test(line)),
  );
  findings.add(true, `the metric of paused DSNs is raised after ${status}`);
  for (let sent = 1; sent < SENT_TO_PAUSED; sent += 1) await rig.send('error', dsn);
  await arrive(rig);
  findings.equal(`attempts before the pause after ${status}:`, tries(), PAUSE_AFTER);
}

/** The operator fixes the key and restarts: the queued envelopes are delivered. */
async function judgeMended({ findings }: Trial, rig: Rig): Promise<void> {
  rig.upstream.script = () => take();
  await rig.errata.kill();
  await rig.errata.start();
  await emptied(rig.errata);
  const dead = await fate(rig.errata, 'dead_lettered');
  const { lost, obligations } = compare(rig.oracle.read(), rig, await fate(rig.errata, 'queued'));
  findings.equal(`absent at the upstream of ${obligations}`, lost.length, dead);
  findings.equal('dead letters at the end', dead, DEAD.length);
  findings.equal('missing in the ledger', await fate(rig.errata, 'missing'), 0);
}
