import type { Setup } from '../../../backend/src/contract/setup-api.ts';
import { comes, finds, judge, judgeIsolation, postError, ready, statusOf } from './checks.ts';
import { type Lab, PodmanPod, TOKEN } from './podman-pod.ts';

const PROBES = ['startupz', 'livez', 'readyz'];

/** Runs the overlay `single`: one pod with the embedded store, stopped and created again with its claim. */
export async function trySingle(lab: Lab): Promise<void> {
  const pod = await PodmanPod.of(lab, 'single', 0);
  await pod.create();
  await ready(pod);
  for (const probe of PROBES) {
    const status = await statusOf(`${pod.managementUrl}/${probe}`);
    judge(`single: /${probe} answers 200`, status === 200, String(status));
  }
  await judgeIsolation(pod);
  const eventId = await postError(pod, await ownDsn(pod));
  const { exitCode, ms } = await pod.terminate();
  const { graceSeconds } = pod.plan;
  judge(
    `single: SIGTERM -> exit 0 in ${ms} ms, of ${graceSeconds} s of grace`,
    exitCode === 0,
    String(exitCode),
  );
  await pod.create();
  await ready(pod);
  judge('single: an error from before the stop is found after it', await finds(pod, eventId));
  await pod.terminate();
}

/** A second replica of `single` would have a store of its own: it must not start. */
export async function tryReplicaWithoutDatabase(lab: Lab): Promise<void> {
  const pod = await PodmanPod.of(lab, 'single', 1, { restartPolicy: 'Never' });
  await pod.create();
  const hasEnded = await comes(async () => (await pod.inspect('.State.Status')) === 'exited');
  const exitCode = hasEnded ? await pod.inspect('.State.ExitCode') : 'it runs';
  const lines = (await pod.logs()).trim().split('\n');
  const [line = ''] = lines;
  const isGood = exitCode === '1' && lines.length === 1 && /^ERRATA_REPLICA: .*\bDATABASE_URL\b/.test(line);
  judge(
    'single: a second replica without DATABASE_URL ends with 1 and one line',
    isGood,
    `${exitCode} ${lines.join(' | ')}`,
  );
}

/** Returns the DSN that Errata created for itself. */
async function ownDsn(pod: PodmanPod): Promise<string> {
  const answer = await fetch(`${pod.url}/console/api/setup`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const { projects } = (await answer.json()) as Setup;
  const [own] = projects;
  if (own === undefined) throw new Error('single: no DSN');
  return own.browserDsn;
}
