import { StoreUnavailable } from '../store/event-store.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { dropRemoved } from './open-alerts.ts';

it('deletes the messages of removed targets once, as soon as the store answers, also without any target', async () => {
  const answers = [() => Promise.reject(new StoreUnavailable('away')), () => Promise.resolve(3)];
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const metrics = new Metrics();
  let asked = 0;
  const ask = (() => answers[asked++]?.()) as Parameters<typeof dropRemoved>[0]['ask'];

  const job = dropRemoved({ ask }, { log, metrics });
  await new Promise(setImmediate);
  job.runNow();
  await new Promise(setImmediate);
  job.runNow();

  const { values } = await metrics.alerts.get();
  expect(values).toEqual([{ labels: { target: 'removed', outcome: 'dropped' }, value: 3 }]);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'alerts_failed',
    'alerts_dropped',
  ]);
  expect(asked).toBe(2);
});
