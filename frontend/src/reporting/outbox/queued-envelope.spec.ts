import { toEvict, type KeepLimits, type KeptHead } from './queued-envelope.ts';

const LIMITS: KeepLimits = { maxCount: 3, maxBytes: 100, maxAgeMs: 1_000 };

function head(id: string, parts: Partial<KeptHead> = {}): KeptHead {
  return { id, isError: true, keptAtMs: 10_000, bytes: 10, ...parts };
}

function evicted(heads: readonly KeptHead[]): readonly string[] {
  return toEvict(heads, 10_000, LIMITS).map(({ id }) => id);
}

it('evicts nothing that fits', () => {
  expect(evicted([head('a'), head('b'), head('c', { bytes: 80 })])).toEqual([]);
});

it('evicts the oldest of what is no error before any error', () => {
  const heads = [
    head('old error', { keptAtMs: 9_100 }),
    head('new other', { isError: false, keptAtMs: 9_900 }),
    head('old other', { isError: false, keptAtMs: 9_500 }),
    head('error'),
    head('another error'),
  ];

  expect(evicted(heads)).toEqual(['old other', 'new other']);
});

it('evicts the oldest error when there are only errors', () => {
  const heads = [head('b', { keptAtMs: 9_300 }), head('a', { keptAtMs: 9_200 }), head('c'), head('d')];

  expect(evicted(heads)).toEqual(['a']);
});

it('evicts until the bytes fit', () => {
  const heads = [head('a', { bytes: 60, keptAtMs: 9_500 }), head('b', { bytes: 60, keptAtMs: 9_600 })];

  expect(evicted(heads)).toEqual(['a']);
});

it('drops what is too old, and what a clock that was put right since dates far ahead', () => {
  const heads = [head('old', { keptAtMs: 8_999 }), head('in time', { keptAtMs: 9_000 })];

  expect(evicted([...heads, head('ahead', { keptAtMs: 11_001 })])).toEqual(['old', 'ahead']);
});
