import { headersOf, tagsOf } from './pairs.ts';

describe('headersOf', () => {
  it.each([
    ['an object', { Accept: 'a' }, [['Accept', 'a']]],
    ['pairs', [['Accept', 'a']], [['Accept', 'a']]],
    [
      'names and values',
      [
        { name: 'Accept', value: 'a' },
        { key: 'X', value: 7 },
      ],
      [
        ['Accept', 'a'],
        ['X', 7],
      ],
    ],
    [
      'an object with lists',
      { Accept: ['a', 'b'], X: ['c'] },
      [
        ['Accept', 'a, b'],
        ['X', 'c'],
      ],
    ],
    ['pairs with lists', [['Accept', ['a', 'b']]], [['Accept', 'a, b']]],
    ['a text', 'Accept: a', []],
  ])('reads %s', (_name, headers, expected) => {
    expect(headersOf({ request: { headers } })).toEqual(expected);
  });
});

describe('tagsOf', () => {
  it.each([
    [{ a: 'b', c: 7, d: true, e: null, f: {} }],
    [[['a', 'b'], ['c', 7], ['d', true], ['e', null], ['f', {}], 'g', [7, 'h']]],
    [
      [
        { key: 'a', value: 'b' },
        { key: 'c', value: 7 },
        { name: 'd', value: true },
      ],
    ],
  ])('reads the tags %j', (tags) => {
    expect([...tagsOf({ tags })]).toEqual([
      ['a', 'b'],
      ['c', '7'],
      ['d', 'true'],
    ]);
  });
});
