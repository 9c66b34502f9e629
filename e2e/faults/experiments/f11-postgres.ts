import {
  type PostgresServer,
  startPostgres,
} from '../../../backend/src/store/test/postgres-server.fixture.ts';
import type { Experiment, Trial } from '../experiment.ts';
import { FaultProxy } from '../parts/fault-proxy.ts';
import { judge, judgeStore } from '../parts/judge.ts';
import { Rig } from '../parts/rig.ts';
import { StoreFinder } from '../parts/store-finder.ts';
import { mustCome, since } from '../parts/waiting.ts';

const RATE = 40;
/** Number of envelopes that are accepted in each state of the database. */
const ANSWERS = 30;
const BACK_WITHIN_MS = 2_000;

export const experiments: readonly Experiment[] = [
  {
    id: 'F11',
    fault: 'PostgreSQL stopped at once, connections cut, restarted',
    isLeftOut: true,
    run: restartDatabase,
  },
];

async function restartDatabase(trial: Trial): Promise<void> {
  const { findings, scratch } = trial;
  const server: PostgresServer = await startPostgres();
  scratch.later(() => server.remove());
  await server.createDatabase('errata');
  const proxy = new FaultProxy(server.socket);
  await proxy.up();
  scratch.later(() => proxy.close());
  const url = `postgres://errata:errata@127.0.0.1:${proxy.port}/errata`;
  const rig = await Rig.start(trial, { environment: { DATABASE_URL: url } });
  const load = rig.load({ senders: 4, kinds: ['error'], perSecond: RATE });
  /** The load goes on: its envelopes are accepted, however long each takes. */
  const someAnswers = (): Promise<void> => load.untilCount(200, load.count(200) + ANSWERS);
  await someAnswers();
  const finder = await StoreFinder.signIn(rig.errata);

  await proxy.become({ kind: 'reset' });
  await someAnswers();
  await proxy.become({ kind: 'pass' });
  await someAnswers();
  await findings.duration('back after', BACK_WITHIN_MS, async () => {
    await server.stop();
    await someAnswers();
    await server.start();
    const startedAtMs = performance.now();
    const { made } = await rig.send();
    await mustCome('an event in the store', () => finder.has(made.id));
    return since(startedAtMs);
  });
  await load.stop();

  findings.equal('answers other than 200', load.countOthers(200), 0);
  await judge(rig, findings, { duplicates: 0, atLeast: RATE });
  await judgeStore(rig, findings);
}
