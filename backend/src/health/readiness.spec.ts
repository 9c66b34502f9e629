import { HttpException } from '@nestjs/common';
import type { RefusalCause } from '../spool/protocol/spool-messages.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { HealthController } from './health.controller.ts';
import { Readiness } from './readiness.ts';

/** The probe that is answered, as status and body. */
function answerOf(probe: () => unknown): readonly [number, unknown] {
  try {
    return [200, probe()];
  } catch (error) {
    if (!(error instanceof HttpException)) throw error;
    return [error.getStatus(), error.getResponse()];
  }
}

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
      RefusalCause | null,
      readonly [number, unknown],
    ]
  >([
    ['starts', STARTING, true, null, [503, { state: 'starting' }]],
    ['is ready', STARTED, true, null, [200, { state: 'ready' }]],
    ['has a full disk', STARTED, true, 'disk_full', [200, { state: 'ready', refusing: 'disk_full' }]],
    ['has a full spool', STARTED, true, 'spool_full', [200, { state: 'ready', refusing: 'spool_full' }]],
    ['has no thread for the spool', STARTED, false, null, [503, { state: 'unwritable' }]],
    ['lost the thread on a full disk', STARTED, false, 'disk_full', [503, { state: 'unwritable' }]],
    ['drains', DRAINING, true, null, [503, { state: 'draining' }]],
    ['drains with a full spool', DRAINING, true, 'spool_full', [503, { state: 'draining' }]],
  ])('of a process that %s', (_name, move, isWritable, refusing, expected) => {
    const readiness = new Readiness({ isWritable, refusing });
    const health = new HealthController(readiness, new Metrics());
    move(readiness);

    expect(answerOf(() => health.ready())).toEqual(expected);
    expect(answerOf(() => health.live())[0]).toBe(200);
  });
});
