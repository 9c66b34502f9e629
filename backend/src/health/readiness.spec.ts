import type { RejectingCause } from '../spool/protocol/spool-messages.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { managementAnswer } from './management-server.ts';
import { Readiness } from './readiness.ts';

const STARTING = () => undefined;
const STARTED = (readiness: Readiness) => readiness.started();
const DRAINING = (readiness: Readiness) => {
  readiness.started();
  readiness.drain();
};

describe('/readyz', () => {
  it.each<
    readonly [
      string,
      (readiness: Readiness) => void,
      boolean,
      RejectingCause | null,
      readonly [number, unknown],
    ]
  >([
    ['starts', STARTING, true, null, [503, { state: 'starting' }]],
    ['is ready', STARTED, true, null, [200, { state: 'ready' }]],
    ['has a full disk', STARTED, true, 'disk_full', [200, { state: 'ready', rejecting: 'disk_full' }]],
    ['has a full spool', STARTED, true, 'spool_full', [200, { state: 'ready', rejecting: 'spool_full' }]],
    ['has no thread for the spool', STARTED, false, null, [503, { state: 'unwritable' }]],
    ['lost the thread on a full disk', STARTED, false, 'disk_full', [503, { state: 'unwritable' }]],
    ['drains', DRAINING, true, null, [503, { state: 'draining' }]],
    ['drains with a full spool', DRAINING, true, 'spool_full', [503, { state: 'draining' }]],
  ])('of a process that %s', async (_name, move, isWritable, rejecting, [status, body]) => {
    const readiness = new Readiness({ isWritable, rejecting });
    move(readiness);

    const ready = await managementAnswer('/readyz', readiness, new Metrics());
    const live = await managementAnswer('/livez', readiness, new Metrics());

    expect([ready.status, JSON.parse(ready.body)]).toEqual([status, body]);
    expect(live.status).toBe(200);
  });
});
