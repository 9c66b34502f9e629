import { Window } from './window.ts';

/** Answers of one round trip after another, each for a full window that envelopes wait for. */
function roundTrips(window: Window, latenciesMs: readonly number[], isLimit = true): readonly number[] {
  let nowMs = 0;
  return latenciesMs.map((latencyMs) => {
    const startedAtMs = nowMs;
    nowMs += latencyMs;
    for (let left = window.size; left > 0; left -= 1) window.answered({ startedAtMs, nowMs, isLimit });
    return window.size;
  });
}

const times = (count: number, latencyMs: number): readonly number[] =>
  Array.from({ length: count }, () => latencyMs);

describe('Window', () => {
  it.each([
    ['one for each window of answers of a nearby upstream', [2, 2, 2], [17, 18, 19]],
    ['by its latency for a distant one', [100, 100, 100, 100], [36, 56, 76, 96]],
    ['below 64 at any latency', [100, 300, 900], [36, 56, 76]],
    ['above 64 up to 1.25 times the lowest latency and 5 ms', [...times(4, 100), 129, 130], [96, 116, 116]],
    ['no more above that', [...times(4, 100), 131, 210], [96, 96, 96]],
    ['by half above twice the lowest latency and 10 ms', [...times(6, 100), 211, 100], [136, 68, 88]],
    ['by latency to 64 at least', [...times(4, 100), ...times(2, 900)], [96, 64, 64]],
    ['up to its cap', times(12, 100), [196, 200, 200, 200]],
  ])('starts at 16 and grows or shrinks %s', (_, latenciesMs, sizes) => {
    expect(roundTrips(new Window(200), latenciesMs).slice(-sizes.length)).toEqual(sizes);
  });

  it('never grows where nothing waits for it', () => {
    expect(roundTrips(new Window(100), [100, 100, 100], false)).toEqual([16, 16, 16]);
  });

  it('starts at its cap where that is lower, and stays there', () => {
    const window = new Window(1);

    expect(roundTrips(window, [100, 100, 900])).toEqual([1, 1, 1]);
  });

  it('halves once for the failures of one round trip', () => {
    const window = new Window(100);
    for (let failures = 0; failures < 16; failures += 1) window.failed(0, 100 + failures);
    const first = window.size;

    window.failed(100, 200);

    expect([first, window.size]).toEqual([8, 4]);
  });

  it('ignores answers to envelopes from before the last decrease', () => {
    const window = new Window(100);
    window.failed(0, 100);

    for (let answers = 0; answers < 100; answers += 1) {
      window.answered({ startedAtMs: 50, nowMs: 101, isLimit: true });
    }

    expect(window.size).toBe(8);
  });

  it('shrinks to four at least when the upstream does not answer', () => {
    const window = new Window(100);

    const sizes = [0, 1, 2, 3].map((nowMs) => {
      window.failed(nowMs, nowMs);
      return window.size;
    });

    expect(sizes).toEqual([8, 4, 4, 4]);
  });

  it('grows again when a longer latency has become the normal one', () => {
    const window = new Window(100);

    const sizes = roundTrips(window, [...times(5, 100), ...times(40, 900)]);

    expect(sizes.slice(5, 8)).toEqual([64, 64, 64]);
    expect(sizes.at(-1)).toBe(100);
  });

  it('remembers the lowest latency for ten seconds at least', () => {
    const sizes = roundTrips(new Window(300), [...times(100, 100), 211, 211]);

    expect(sizes.slice(-3)).toEqual([300, 150, 75]);
  });
});
