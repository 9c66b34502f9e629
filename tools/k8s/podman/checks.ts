import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorEnvelope, newEventId } from '../../../e2e/fixtures/envelopes.ts';
import type { FakeUpstream } from '../../../e2e/fixtures/fake-upstream.ts';
import { type PodmanPod, TOKEN } from './podman-pod.ts';

const LOOK_EVERY_MS = 100;
/** Stops a wait that would never end; on a busy machine each step takes several seconds. */
const GIVE_UP_MS = 120_000;

/** Prints a result for docker/verify-image.sh, which counts the lines. */
export function judge(what: string, isGood: boolean, found = 'no'): void {
  process.stdout.write(isGood ? `PASS  ${what}\n` : `FAIL  ${what}: ${found}\n`);
}

/** Returns whether a condition holds before the watchdog ends the wait. */
export async function comes(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  const giveUpAtMs = performance.now() + GIVE_UP_MS;
  while (!(await condition())) {
    if (performance.now() > giveUpAtMs) return false;
    await delay(LOOK_EVERY_MS);
  }
  return true;
}

/** Returns the status of a response, or null without one. */
export async function statusOf(url: string, init?: RequestInit): Promise<number | null> {
  try {
    const answer = await fetch(url, init);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return null;
  }
}

/** Waits for a pod. @throws Error with its last lines when it does not get ready. */
export async function ready(pod: PodmanPod): Promise<void> {
  if (await comes(async () => (await statusOf(`${pod.managementUrl}/readyz`)) === 200)) return;
  const lines = (await pod.logs()).trim().split('\n').slice(-5);
  throw new Error(`${pod.plan.pod} does not get ready: ${lines.join(' | ')}`);
}

/** Posts an error to the tunnel of a pod and returns its ID. @throws Error for an answer other than 200. */
export async function postError(pod: PodmanPod, dsn: string): Promise<string> {
  const eventId = newEventId();
  const status = await statusOf(`${pod.url}/tunnel`, { method: 'POST', body: errorEnvelope(dsn, eventId) });
  if (status !== 200) throw new Error(`${pod.plan.pod} answers ${status} to an error`);
  return eventId;
}

/** Returns whether the console of a pod finds an event; it is in the store some milliseconds after its 200. */
export function finds(pod: PodmanPod, eventId: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return comes(async () => (await statusOf(`${pod.url}/console/api/events/${eventId}`, { headers })) === 200);
}

/** Judges whether all events arrive at the upstream. */
export async function judgeDelivery(
  what: string,
  upstream: FakeUpstream,
  eventIds: readonly string[],
): Promise<void> {
  const missing = (): number => {
    const arrived = new Set(upstream.arrived.map(({ eventId }) => eventId));
    return eventIds.filter((eventId) => !arrived.has(eventId)).length;
  };
  const isGood = await comes(() => missing() === 0);
  judge(`${what}: all ${eventIds.length} are delivered`, isGood, `${missing()} are missing`);
}

/** Judges the process of a pod by the kernel's own view: its user, root, capabilities and privileges. */
export async function judgeIsolation(pod: PodmanPod): Promise<void> {
  const pid = await pod.inspect('.State.Pid');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const valuesOf = (field: string): readonly string[] =>
    new RegExp(`^${field}:\\s+(.*)$`, 'm').exec(status)?.[1]?.split(/\s+/) ?? [];
  const users = new Set([...valuesOf('Uid'), ...valuesOf('Gid')]);
  judge('single: user and group are 65532', users.size === 1 && users.has('65532'), [...users].join(' '));
  const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].flatMap(valuesOf);
  judge('single: 0 capabilities', sets.length === 5 && sets.every((set) => /^0+$/.test(set)), sets.join(' '));
  judge('single: no new privileges', valuesOf('NoNewPrivs')[0] === '1', valuesOf('NoNewPrivs').join(' '));
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n');
  // proc_pid_mountinfo(5): the fifth field is the mount point, the sixth its options.
  const root = mounts.map((line) => line.split(' ')).find((fields) => fields[4] === '/');
  judge('single: the root is read-only', root?.[5]?.split(',')[0] === 'ro', root?.[5]);
}
