import { inSizes, padded } from './compiled-query.ts';

describe('inSizes', () => {
  it('keeps every row, in order, in parts of powers of two', () => {
    const rows = Array.from({ length: 605 }, (_, index) => index);

    const parts = inSizes(rows);

    expect(parts.flat()).toEqual(rows);
    expect(parts.map((part) => part.length)).toEqual([256, 256, 64, 16, 8, 4, 1]);
  });

  it('makes no part of nothing', () => {
    expect(inSizes([])).toEqual([]);
  });
});

describe('padded', () => {
  it('repeats the last of the different values up to a power of two', () => {
    expect(padded(['a', 'b', 'a', 'c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'd', 'e', 'e', 'e', 'e']);
  });

  it('leaves a power of two and an empty list as they are', () => {
    expect(padded([1, 2])).toEqual([1, 2]);
    expect(padded([])).toEqual([]);
  });
});
