import { type Expected, mismatches } from './match.ts';

const isEven = (found: unknown): boolean => Number(found) % 2 === 0;

describe('mismatches', () => {
  it.each<[string, Expected, unknown]>([
    ['further fields', { a: 1 }, { a: 1, b: 2 }],
    ['a field that must not exist', { a: undefined }, { b: 2 }],
    ['a list of objects with further fields', [{ a: 1 }, 'b'], [{ a: 1, c: 3 }, 'b']],
    ['a value that meets its condition', { a: isEven }, { a: 2 }],
  ])('accepts %s', (_, expected, found) => {
    expect(mismatches(expected, found, 'object')).toEqual([]);
  });

  it.each<[string, Expected, unknown, string]>([
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, 'object/a/b: 2 is not 1'],
    ['another type', { a: 1 }, { a: '1' }, 'object/a: "1" is not 1'],
    ['a missing field', { a: { b: 1 } }, { a: null }, 'object/a/b: undefined is not 1'],
    ['a field that must not exist', { a: undefined }, { a: false }, 'object/a: false is not undefined'],
    ['a longer list', ['a'], ['a', 'b'], 'object/length: 2 is not 1'],
    ['a shorter list', [{ a: undefined }], [], 'object/length: 0 is not 1'],
    ['a missing list', [], undefined, 'object/length: undefined is not 0'],
    ['a value against its condition', { a: isEven }, { a: 3 }, 'object/a: 3 is not allowed'],
  ])('finds %s', (_, expected, found, line) => {
    expect(mismatches(expected, found, 'object')).toEqual([line]);
  });
});
