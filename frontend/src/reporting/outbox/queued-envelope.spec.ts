import { toEvict, type OutboxLimits, type OutboxHead } from './queued-envelope.ts';

const LIMITS: OutboxLimits = { maxCount: 3, maxBytes: 100, maxAgeMs: 1_000 };

function head(id: string, parts: Partial<OutboxHead> = {}): OutboxHead {
  return { id, isError: true, queuedAtMs: 10_000, bytes: 10, ...parts };
}

function evicted(heads: readonly OutboxHead[]): readonly string[] {
  return toEvict(heads, 10_000, LIMITS).map(({ id }) => id);
}

it('evicts nothing that fits', () => {
  expect(evicted([head('a'), head('b'), head('c', { bytes: 80 })])).toEqual([]);
});

it('evicts the oldest envelope without an error before any error', () => {
  const heads = [
    head('old error', { queuedAtMs: 9_100 }),
    head('new other', { isError: false, queuedAtMs: 9_900 }),
    head('old other', { isError: false, queuedAtMs: 9_500 }),
    head('error'),
    head('another error'),
  ];

  expect(evicted(heads)).toEqual(['old other', 'new other']);
});

it('evicts the oldest error when there are only errors', () => {
  const heads = [head('b', { queuedAtMs: 9_300 }), head('a', { queuedAtMs: 9_200 }), head('c'), head('d')];

  expect(evicted(heads)).toEqual(['a']);
});

it('evicts until the bytes fit', () => {
  const heads = [head('a', { bytes: 60, queuedAtMs: 9_500 }), head('b', { bytes: 60, queuedAtMs: 9_600 })];

  expect(evicted(heads)).toEqual(['a']);
});

it('drops expired envelopes, and those dated far ahead by a clock that was corrected since', () => {
  const heads = [head('old', { queuedAtMs: 8_999 }), head('in time', { queuedAtMs: 9_000 })];

  expect(evicted([...heads, head('ahead', { queuedAtMs: 11_001 })])).toEqual(['old', 'ahead']);
});
