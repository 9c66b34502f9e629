import type { Settlement } from '../sink/sink.ts';
import { InFlight } from './in-flight.ts';
import { DELIVERED, LATER, REFUSED } from './relay.fixture.ts';

const LIMITED: Settlement = { outcome: 'held', untilMs: 0, wasSent: true };

interface Change {
  readonly settlement?: Settlement;
  readonly bytes?: number;
  readonly latencyMs?: number;
  readonly unsettled?: number;
}

/** Starts as many batches as fit, ends all of them after their latency, three times. Returns the limit then. */
function limitAfterThreeRounds(changes: Change = {}): number {
  const { settlement = DELIVERED, bytes = 3_000, latencyMs = 100, unsettled = 0 } = changes;
  const inFlight = new InFlight({ concurrency: 512, isAdaptive: true });
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
    ['stays with large envelopes, which take longer by themselves', { bytes: 100_000 }, 16],
  ])('%s', (_, change, limit) => {
    expect(limitAfterThreeRounds(change)).toBe(limit);
  });

  it('counts deliveries without a settlement on disk', () => {
    const inFlight = new InFlight({ concurrency: 512, isAdaptive: true });
    for (let started = 0; started < 4; started += 1) inFlight.started(1);

    expect([11, 12].map((unsettled) => inFlight.hasRoom(unsettled))).toEqual([true, false]);
  });

  it('does not count them for a sink that recognises a repeat', () => {
    const inFlight = new InFlight({ concurrency: 2, isAdaptive: false });
    inFlight.started(1);

    const hasRoom = inFlight.hasRoom(1_000);
    inFlight.started(1);

    expect([hasRoom, inFlight.hasRoom(0)]).toEqual([true, false]);
  });

  it('starts nothing above 8 MiB in flight', () => {
    const inFlight = new InFlight({ concurrency: 512, isAdaptive: true });
    inFlight.started(2 ** 23);

    expect(inFlight.hasRoom(0)).toBe(false);
  });
});
