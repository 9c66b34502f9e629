import { readConfig } from '../config/config.ts';
import { StoreRefused, StoreUnavailable } from '../store/event-store.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { logFaults } from './open-store.ts';

describe('logFaults', () => {
  it('prints a refusal of the database once a minute, without stack and password, and each other fault', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog('info', {
      write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
    });
    const config = readConfig({ DATABASE_URL: 'postgres://errata:s3cret@db.example/errata' });
    const metrics = new Metrics();
    let nowMs = 0;
    const onFault = logFaults({ config, log, metrics }, () => nowMs);

    for (nowMs of [0, 59_999, 60_000]) onFault(new StoreRefused('password authentication failed'));
    onFault(new StoreUnavailable('connection refused'));

    const refusal = {
      level: 'error',
      time: expect.any(String) as unknown,
      msg: 'store_refused',
      problem: 'DATABASE_URL: cannot use the database at db.example:5432 (password authentication failed)',
      action: expect.stringContaining('correct the setting') as unknown,
    };
    expect(lines).toEqual([refusal, refusal, expect.objectContaining({ msg: 'store_fault' })]);
    expect(await metrics.registry.metrics()).toContain('errata_store_faults_total 4');
  });
});
