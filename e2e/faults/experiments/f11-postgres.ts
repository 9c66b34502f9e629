import { setTimeout as delay } from 'node:timers/promises';
import {
  type PostgresServer,
  startPostgres,
} from '../../../backend/src/store/test/postgres-server.fixture.ts';
import type { Experiment } from '../experiment.ts';
import { FaultProxy } from '../parts/fault-proxy.ts';
import { judge } from '../parts/judge.ts';
import { Rig } from '../parts/rig.ts';
import { StoreLookUp } from '../parts/store-look-up.ts';
import { mustCome, since, waitFor } from '../parts/waiting.ts';

const RATE = 40;
const BACK_WITHIN_MS = 2_000;

export const postgres: Experiment = {
  id: 'F11',
  fault: 'PostgreSQL stopped at once, connections cut, restarted',
  target: '0 lost, back within 2 s of the server; intake stays 200 meanwhile',
  run: async (trial) => {
    const { findings, scratch } = trial;
    const server: PostgresServer = await startPostgres();
    scratch.later(() => server.remove());
    await server.createDatabase('errata');
    const proxy = new FaultProxy(server.socket);
    await proxy.up();
    scratch.later(() => proxy.close());
    const url = `postgres://errata:errata@127.0.0.1:${proxy.port}/errata`;
    const rig = await Rig.start(trial, { environment: { DATABASE_URL: url } });
    const load = rig.load({ senders: 4, perSecond: RATE, kinds: ['error'] });
    await mustCome('a first 200', () => load.count(200) > RATE / 2);
    const lookUp = await StoreLookUp.signIn(rig.errata);

    await proxy.become({ kind: 'reset' });
    await delay(700);
    await proxy.become({ kind: 'pass' });
    await delay(700);
    await server.stop();
    await delay(1_500);
    await server.start();
    const startedAtMs = performance.now();
    const { made } = await rig.send();
    await waitFor(() => lookUp.has(made.id), 20_000);
    const backMs = since(startedAtMs);
    await load.stop();

    findings.atMost('back after', backMs, BACK_WITHIN_MS, ' ms');
    findings.equal('answers other than 200', load.answers.length - load.count(200), 0);
    await judge(rig, findings, { duplicates: 0, atLeast: RATE });
    const missing = await lookUp.missing(rig.oracle.read().keys());
    findings.equal('missing in the store', missing.length, 0);
  },
};
