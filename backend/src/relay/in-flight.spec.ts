import type { Settlement } from '../sink/sink.ts';
import { InFlight } from './in-flight.ts';
import { DELIVERED, LATER, REFUSED } from './relay.fixture.ts';

const IDLE = { waiting: 0, fill: 0 };
const LIMITED: Settlement = { outcome: 'held', untilMs: 0, wasSent: true };

interface Change {
  readonly settlement?: Settlement;
  readonly bytes?: number;
  readonly latencyMs?: number;
  readonly loop?: number;
  readonly cores?: number;
  readonly unsettled?: number;
  readonly spool?: { readonly waiting: number; readonly fill: number };
}

/** Starts as many batches as fit, ends all of them after their latency, three times. Returns the limit then. */
function limitAfterThreeRounds(changes: Change = {}): number {
  const {
    settlement = DELIVERED,
    bytes = 3_000,
    latencyMs = 100,
    loop = 0.5,
    cores = 0.5,
    unsettled = 0,
    spool = IDLE,
  } = changes;
  const inFlight = new InFlight({ concurrency: 512, isAdaptive: true }, spool, () => ({ loop, cores }));
  for (let round = 0; round < 3; round += 1) {
    const startedAtMs = round * latencyMs;
    const nowMs = startedAtMs + latencyMs;
    let started = 0;
    for (; inFlight.hasRoom(unsettled); started += 1) inFlight.started(bytes);
    for (; started > 0; started -= 1) {
      const ended = { settlements: [settlement], nowMs, unsettled, isMoreWaiting: true };
      inFlight.ended({ bytes, startedAtMs }, ended);
    }
  }
  return inFlight.limit;
}

describe('InFlight', () => {
  it.each<[string, Change, number]>([
    ['grows while the sink answers', {}, 76],
    ['grows while the sink refuses single envelopes', { settlement: REFUSED }, 76],
    ['shrinks while the sink does not answer', { settlement: LATER }, 4],
    ['shrinks while no connection is possible', { settlement: { ...LATER, scope: 'connection' } }, 4],
    ['shrinks while the sink answers 429', { settlement: LIMITED }, 4],
    [
      'stays at a 500, which may be the envelope’s fault',
      { settlement: { ...LATER, scope: 'envelope' } },
      16,
    ],
    ['stays at limits that are known before sending', { settlement: { ...LIMITED, wasSent: false } }, 16],
    ['stays while the event loop is busy, whose latency it is', { loop: 0.9 }, 16],
    ['stays with large envelopes, which take longer by themselves', { bytes: 100_000 }, 16],
  ])('%s', (_, change, limit) => {
    expect(limitAfterThreeRounds(change)).toBe(limit);
  });

  it.each<[string, Change, number]>([
    [
      'four while the loop is full and many clients wait',
      { loop: 0.95, spool: { waiting: 24, fill: 0.5 } },
      4,
    ],
    ['more while the spool is more than half full', { loop: 0.95, spool: { waiting: 24, fill: 0.8 } }, 12],
    ['the whole window from 90 %', { loop: 0.95, spool: { waiting: 24, fill: 0.9 } }, 16],
    ['the whole window while no client sends', { loop: 0.95 }, 16],
    [
      'the whole window while the loop is busy but not full',
      { loop: 0.94, spool: { waiting: 24, fill: 0 } },
      16,
    ],
    [
      'four while the cores are full and many clients wait',
      { cores: 0.95, spool: { waiting: 24, fill: 0 } },
      4,
    ],
  ])('uses %s', (_, change, limit) => {
    expect(limitAfterThreeRounds(change)).toBe(limit);
  });

  it('has one batch in flight to a sink of this machine while many clients wait', () => {
    const limits = [23, 24].map(
      (waiting) => new InFlight({ concurrency: 2, isAdaptive: false }, { waiting, fill: 0 }).limit,
    );

    expect(limits).toEqual([2, 1]);
  });

  it('counts deliveries without a settlement on disk', () => {
    const inFlight = new InFlight({ concurrency: 512, isAdaptive: true }, IDLE, () => ({
      loop: 0,
      cores: 0,
    }));
    for (let started = 0; started < 4; started += 1) inFlight.started(1);

    expect([11, 12].map((unsettled) => inFlight.hasRoom(unsettled))).toEqual([true, false]);
  });

  it('does not count them for a sink that recognises a repeat', () => {
    const inFlight = new InFlight({ concurrency: 2, isAdaptive: false }, IDLE, () => ({ loop: 0, cores: 0 }));
    inFlight.started(1);

    const hasRoom = inFlight.hasRoom(1_000);
    inFlight.started(1);

    expect([hasRoom, inFlight.hasRoom(0)]).toEqual([true, false]);
  });

  it('starts nothing above 8 MiB in flight', () => {
    const inFlight = new InFlight({ concurrency: 512, isAdaptive: true }, IDLE, () => ({
      loop: 0,
      cores: 0,
    }));
    inFlight.started(2 ** 23);

    expect(inFlight.hasRoom(0)).toBe(false);
  });
});
