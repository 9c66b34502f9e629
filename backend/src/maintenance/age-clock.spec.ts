import { DAY_MS, HOUR_MS } from '../time/iso.ts';
import { ageClock, ageNowMs, type Clocks } from './age-clock.ts';

const START_MS = Date.parse('2026-06-01T00:00:00Z');

/** Returns the clocks of a process that started at {@link START_MS}, by a clock that was then so much ahead. */
function clocksAfter(
  uptimeMs: number,
  ahead: { readonly atStartMs?: number; readonly nowMs?: number } = {},
): Clocks {
  const { atStartMs = 0, nowMs = atStartMs } = ahead;
  const rightMs = START_MS + uptimeMs;
  return { wallMs: () => rightMs + nowMs, unmovedMs: () => rightMs + atStartMs, uptimeMs: () => uptimeMs };
}

describe('the time for ages', () => {
  it('is that of the clock from the second hour on', () => {
    expect(ageNowMs(Infinity, clocksAfter(HOUR_MS))).toBe(START_MS + HOUR_MS);
  });

  it('makes nothing old in the first hour, whatever the clock says', () => {
    expect(ageNowMs(Infinity, clocksAfter(HOUR_MS - 1, { atStartMs: 40 * DAY_MS }))).toBe(0);
  });

  it('does not follow a clock that jumps ahead, and follows one that is set back', () => {
    const times = [40 * DAY_MS, -DAY_MS].map((nowMs) =>
      ageNowMs(Infinity, clocksAfter(2 * DAY_MS, { atStartMs: 0, nowMs })),
    );

    expect(times).toEqual([START_MS + 2 * DAY_MS, START_MS + DAY_MS]);
  });
});

describe('the time for ages in the store', () => {
  it('is a day ahead at most where the clock was wrong at the start, and goes on', async () => {
    const newest = () => Promise.resolve(START_MS - HOUR_MS);
    const after = (uptimeMs: number) => ageClock(newest, clocksAfter(uptimeMs, { atStartMs: 40 * DAY_MS }))();

    expect(await Promise.all([after(HOUR_MS), after(50 * DAY_MS)])).toEqual([
      START_MS + DAY_MS,
      START_MS + 51 * DAY_MS - HOUR_MS,
    ]);
  });

  it('does not believe events that arrive after the start', async () => {
    let newestMs = START_MS;
    const nowMs = ageClock(() => Promise.resolve(newestMs), clocksAfter(HOUR_MS, { atStartMs: 40 * DAY_MS }));

    newestMs += 40 * DAY_MS;

    expect(await nowMs()).toBe(START_MS + DAY_MS + HOUR_MS);
  });

  it('asks again after a failure, and takes the clock of a store without events', async () => {
    const answers = [Promise.reject(new Error('unreachable')), Promise.resolve(null)];
    const nowMs = ageClock(() => answers.shift() ?? Promise.resolve(0), clocksAfter(HOUR_MS));

    await expect(nowMs()).rejects.toThrow('unreachable');
    expect(await nowMs()).toBe(START_MS + HOUR_MS);
  });
});
