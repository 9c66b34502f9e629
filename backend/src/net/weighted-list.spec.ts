import { parseWeights } from './weighted-list.ts';

describe('parseWeights', () => {
  it.each([
    ['', {}],
    ['br', { br: 1 }],
    ['br, gzip;q=0.5,*;q=0', { br: 1, gzip: 0.5, '*': 0 }],
    ['TEXT/HTML ; Q=0.3', { 'text/html': 0.3 }],
    ['text/html;level=1;q=0.2', { 'text/html': 0.2 }],
    ['text/html;q=0.000, ,', { 'text/html': 0 }],
    ['a/b;title="x, y;q=0", c/d', { 'a/b': 1, 'c/d': 1 }],
    ['a/b;title="no end, c/d', { 'a/b': 1 }],
    ['a/b;q=7, c/d;q=much, e/f;q=-1', { 'a/b': 1, 'c/d': 1, 'e/f': 1 }],
    ['a/b;q=0, a/b;level=1;q=0.4', { 'a/b': 0.4 }],
  ])('reads %j', (header, expected) => {
    expect(Object.fromEntries(parseWeights(header))).toEqual(expected);
  });
});
