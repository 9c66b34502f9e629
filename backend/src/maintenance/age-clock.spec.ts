import { DAY_MS, HOUR_MS } from '../time/iso.ts';
import { AgeClock, type Clocks, SETTLING_MS, storeAgeClock } from './age-clock.ts';

const START_MS = Date.parse('2026-06-01T00:00:00Z');

/** The clocks of a process that started at {@link START_MS}, of which that of the machine may be ahead or behind. */
class ManualClocks implements Clocks {
  #uptimeMs = 0;
  aheadMs: number;

  constructor(aheadMs = 0) {
    this.aheadMs = aheadMs;
  }

  readonly wallMs = (): number => START_MS + this.#uptimeMs + this.aheadMs;
  readonly uptimeMs = (): number => this.#uptimeMs;

  after(uptimeMs: number): this {
    this.#uptimeMs = uptimeMs;
    return this;
  }
}

/** Returns how many days the clock is ahead of the right time now. */
function daysAhead(ages: AgeClock, clocks: Clocks): number {
  return (ages.nowMs() - START_MS - clocks.uptimeMs()) / DAY_MS;
}

describe('the time for ages', () => {
  it('makes nothing old in the settling time, nor by a clock that is not set yet', () => {
    const clocks = new ManualClocks(40 * DAY_MS);
    const ages = new AgeClock(HOUR_MS, START_MS, clocks);
    const early = clocks.after(HOUR_MS - 1) && ages.nowMs();
    clocks.aheadMs = -START_MS;
    const unset = clocks.after(HOUR_MS) && ages.nowMs();
    clocks.aheadMs = 0;

    expect([early, unset, ages.nowMs()]).toEqual([0, 0, START_MS + HOUR_MS]);
  });

  it('follows a clock that jumps ahead by as much time as passes, and one that is set back', () => {
    const clocks = new ManualClocks();
    const ages = new AgeClock(HOUR_MS, null, clocks);
    const days = [
      [100, 0],
      [100.01, 40],
      [101, 40],
      [102, -20],
      [103, 0],
    ] as const;

    const ahead = days.map(([uptime, aheadDays]) => {
      clocks.after(uptime * DAY_MS).aheadMs = aheadDays * DAY_MS;
      return daysAhead(ages, clocks);
    });

    expect(ahead).toEqual([0, expect.closeTo(0.01), expect.closeTo(1), -20, 0]);
  });

  it('is not later for two starts with a wrong clock than a day for each, and the time they ran', () => {
    const clocks = new ManualClocks(40 * DAY_MS).after(2 * HOUR_MS);
    const first = new AgeClock(HOUR_MS, START_MS, clocks).nowMs();

    expect(new AgeClock(HOUR_MS, first, clocks).nowMs()).toBe(START_MS + 2 * DAY_MS + 8 * HOUR_MS);
  });

  it.each([
    ['a pause of 20 days', 0, -9],
    ['a clock that was 20 days behind at the start', -20 * DAY_MS, -10],
  ])('catches up with %s in 20 days', (_, atStartMs, after10Days) => {
    const clocks = new ManualClocks(atStartMs);
    const ages = new AgeClock(HOUR_MS, START_MS - 20 * DAY_MS, clocks);
    clocks.after(HOUR_MS);
    ages.nowMs();
    clocks.aheadMs = 0;

    const ahead = [10, 21].map((days) => daysAhead(ages, clocks.after(days * DAY_MS)));

    expect(ahead).toEqual([expect.closeTo(after10Days, 1), 0]);
  });

  it('believes no day at once after the clock was right', () => {
    const clocks = new ManualClocks();
    const ages = new AgeClock(HOUR_MS, START_MS - HOUR_MS, clocks);
    clocks.after(HOUR_MS);
    ages.nowMs();
    clocks.aheadMs = 40 * DAY_MS;

    expect(ages.nowMs()).toBe(START_MS + HOUR_MS);
  });
});

describe('the time for ages in the store', () => {
  it('is asked at once: later events have the time of a clock that may be wrong', async () => {
    let lastMs = START_MS;
    const clocks = new ManualClocks(40 * DAY_MS);
    const nowMs = storeAgeClock(() => Promise.resolve(lastMs), clocks);

    lastMs += 40 * DAY_MS;

    expect(await nowMs()).toBe(0);
    clocks.after(SETTLING_MS);
    expect(await nowMs()).toBe(START_MS + DAY_MS + 2 * HOUR_MS);
  });

  it('asks again after a failure, and takes the clock of a store without events', async () => {
    const answers = [Promise.reject(new Error('unreachable')), Promise.resolve(null)];
    const clocks = new ManualClocks().after(HOUR_MS);
    const nowMs = storeAgeClock(() => answers.shift() ?? Promise.resolve(0), clocks);

    await expect(nowMs()).rejects.toThrow('unreachable');
    expect(await nowMs()).toBe(START_MS + HOUR_MS);
  });
});
