import {
  burst,
  closedLoop,
  distantUpstream,
  limitedCores,
  outage,
  overload,
  severalUpstreams,
  steadyQueue,
} from './flow-scenarios.fixture.ts';

/** Bars are below the values of the model by some hundredths: another constant of a cost must not fail them. */
describe('the flow control in virtual time', () => {
  it.each([
    ['0.97', 32, 1],
    ['0.97', 128, 1],
    ['0.8', 128, 2],
    ['0.85', 128, 4],
  ])(
    'keeps %s of the rate of an outage for %i clients in a closed loop on %i cores',
    async (part, clients, cores) => {
      const [whole = Infinity] = await closedLoop(cores, clients, true);
      const [accepted = 0] = await closedLoop(cores, clients, false);

      expect(accepted / whole).toBeGreaterThan(Number(part));
    },
  );

  it.each([
    [32, 1],
    [128, 1],
    [128, 2],
    [128, 4],
  ])('gives each sink a thirty-second of the rate of %i clients on %i cores', async (clients, cores) => {
    const [accepted = Infinity, upstream = 0, store = 0] = await closedLoop(cores, clients, false);

    expect(Math.min(upstream, store) / accepted).toBeGreaterThan(1 / 33);
  });

  it.each([
    ['2,500/s on one core', 1, 2_500, 2],
    ['4,500/s on two cores', 2, 4_500, 2],
    ['6,000/s on 16 cores', 16, 6_000, 2],
    ['1,000/s on one core and a slow disk', 1, 1_000, 20, 30],
  ])('leaves nothing behind at %s', async (_, cores, rate, latencyMs, fsyncMs = 1.3) => {
    const queue = await steadyQueue(cores, rate, latencyMs, fsyncMs);

    expect(queue).toBeLessThan(0.1);
  });

  it('leaves an upstream most of a container that may use one of 16 cores, and the store its part', async () => {
    const [, upstream = 0, store = 0] = await limitedCores();

    expect(upstream).toBeGreaterThan(3_300);
    expect(store).toBeGreaterThan(4_000 / 33);
  });

  it('delivers 4,000/s on one core to an upstream of 100 ms at 2,700/s or more until the last', async () => {
    expect(await distantUpstream()).toBeGreaterThan(2_700);
  });

  it('refuses no envelope of a burst, answers it soon and delivers it afterwards', async () => {
    const { refused, p99Ms, caughtUpAfterS, lookUpMs } = await burst();

    expect(refused).toBe(0);
    expect(p99Ms).toBeLessThan(55);
    expect(caughtUpAfterS).toBeLessThan(14);
    expect(lookUpMs).toBeLessThan(15);
  });

  it('delivers to each upstream at its own rate and with its own window', async () => {
    const { rates, windows } = await severalUpstreams();
    const [near = 0, distant = 0, limited = 0, down, store = 0] = rates;
    const [nearWindow, distantWindow, limitedWindow] = windows;

    expect([near > 570, distant > 550, limited > 190, down, store > 2_280]).toEqual([
      true,
      true,
      true,
      0,
      true,
    ]);
    expect(nearWindow).toBeLessThanOrEqual(64);
    expect(distantWindow).toBeGreaterThanOrEqual(450);
    expect(limitedWindow).toBeLessThanOrEqual(64);
  });

  it('sends the backlog of an outage at a rate that doubles each second', async () => {
    const perSecond = await outage();
    const toLimit = perSecond.slice(1).map((count, at) => count / Math.min(2 * (perSecond[at] ?? 0), 200));

    expect(perSecond[0]).toBeLessThan(10);
    for (const part of toLimit) expect(Math.abs(part - 1)).toBeLessThan(0.15);
    expect(perSecond.at(-1)).toBe(200);
  });

  it.each([
    ['of one core', 6_000, {}, 20_000],
    ['of an upstream that takes 200/s', 600, { perSecond: 200 }, 2_000],
  ])(
    'accepts a permanent overload %s at the rate of its slowest sink and refuses the rest',
    async (_, rate, upstream, most) => {
      const { rates, mostFill, refusedFromFill, refusedAfterMs } = await overload(rate, upstream, most);
      const [accepted = 0, ...delivered] = rates;

      expect(accepted / Math.min(...delivered)).toBeCloseTo(1, 1);
      expect(mostFill).toBeLessThan(0.92);
      expect(refusedFromFill).toBeGreaterThanOrEqual(0.9);
      expect(refusedAfterMs).toBeLessThan(100);
    },
  );
});
