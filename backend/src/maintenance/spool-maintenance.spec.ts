import type { Spool } from '../spool/spool.ts';
import { AgeClock } from './age-clock.ts';
import { expireOld, SPOOL_SETTLING_MS } from './spool-maintenance.ts';

const START_MS = Date.parse('2026-06-01T00:00:00Z');
const MINUTE_MS = 60_000;

it('lets no envelope of an earlier boot expire in the first five minutes', async () => {
  const asked: unknown[] = [];
  const spool = {
    ask: (_name: string, nowMs: number) => asked.push(nowMs) && { expired: 0 },
  } as unknown as Spool;
  let uptimeMs = 0;
  const clocks = { wallMs: () => START_MS + uptimeMs, uptimeMs: () => uptimeMs };
  const ages = new AgeClock(SPOOL_SETTLING_MS, null, clocks);

  for (uptimeMs of [4 * MINUTE_MS, 5 * MINUTE_MS]) await expireOld(spool, ages);

  expect(asked).toEqual([0, START_MS + 5 * MINUTE_MS]);
});
