import { originalPositionFor, sourceContentFor, isIgnored } from '@jridgewell/trace-mapping';
import { readMap } from './read-map.ts';

/** Maps the first two lines of a script to those of `cart.ts`. */
const CART = {
  version: 3,
  names: [],
  sources: ['../src/cart.ts'],
  sourcesContent: ['a();\nb();\n'],
  mappings: 'AAAA;AACA',
};
const LIBRARY = { version: 3, sources: [null, 'lib.ts'], mappings: 'ACAA', x_google_ignoreList: [1] };
const CART_JSON = JSON.stringify(CART);

const inSections = (...sections: readonly (readonly [line: number, column: number, map: unknown])[]) =>
  JSON.stringify({
    version: 3,
    sections: sections.map(([line, column, map]) => ({ offset: { line, column }, map })),
  });

/** Returns `source:line` of a position. */
function originalOf(text: string, line: number, column = 0): string {
  const { source, line: original } = originalPositionFor(readMap(text).map, { line, column });
  return `${source}:${original}`;
}

describe('readMap', () => {
  it.each([
    ['a plain map', CART_JSON],
    ['a map with a byte order mark', `\uFEFF${CART_JSON}`],
    ['a map with the line against scripts', `)]}'\n${CART_JSON}`],
    ['a map with that line, more text in it, and CR LF', `)]}', version 7\r\n${CART_JSON}`],
    ['a map with both', `\uFEFF)]}'\n${CART_JSON}`],
    ['a map in one section', inSections([0, 0, CART])],
    ['a map with fields of null', JSON.stringify({ ...CART, sourceRoot: null, names: null, file: null })],
    ['a map with unknown fields', JSON.stringify({ ...CART, scopes: 'B', sections_: [] })],
  ])('reads %s', (_, text) => {
    expect(originalOf(text, 2)).toBe('../src/cart.ts:2');
  });

  it('reads sections from their offsets on, each with its own sources', () => {
    const text = inSections([1, 8, CART], [3, 4, LIBRARY], [4, 0, CART]);
    const { map } = readMap(text);

    expect([originalOf(text, 1, 99), originalOf(text, 2, 7)]).toEqual(['null:null', 'null:null']);
    expect([originalOf(text, 2, 8), originalOf(text, 3)]).toEqual(['../src/cart.ts:1', '../src/cart.ts:2']);
    expect([originalOf(text, 4, 4), originalOf(text, 6)]).toEqual(['lib.ts:1', '../src/cart.ts:2']);
    expect(sourceContentFor(map, '../src/cart.ts')).toBe('a();\nb();\n');
    expect([isIgnored(map, 'lib.ts'), isIgnored(map, '../src/cart.ts')]).toEqual([true, false]);
  });

  it('reads sections in a section', () => {
    const inner: unknown = JSON.parse(inSections([1, 0, CART]));

    expect(originalOf(inSections([2, 0, inner]), 5)).toBe('../src/cart.ts:2');
  });

  it('puts the root of a section before its sources only', () => {
    const rooted = { ...CART, sourceRoot: 'web', sources: ['cart.ts'] };

    expect(originalOf(inSections([0, 0, rooted], [2, 0, CART]), 1)).toBe('web/cart.ts:1');
    expect(originalOf(inSections([0, 0, rooted], [2, 0, CART]), 3)).toBe('../src/cart.ts:1');
  });

  it('counts the mappings of all sections', () => {
    expect(readMap(inSections([0, 0, CART], [2, 0, LIBRARY])).mappingsLength).toBe(13);
  });

  it.each([
    ['no map', 'is not valid JSON'],
    ['null', 'the map is no object'],
    ['{"version":3,"mappings":"AAAA"}', 'the map has no mappings'],
    ['{"version":3,"sources":[]}', 'the map has no mappings'],
    ['{"version":3,"sections":{}}', 'the sections are no list'],
    [inSections([0, 0, null]), 'the map is no object'],
    [inSections([-1, 0, CART]), 'a section has no offset'],
    // The lines before it would take all memory.
    [inSections([4_000_000_000, 0, CART]), 'a section has no offset'],
  ])('refuses %s', (text, message) => {
    expect(() => readMap(text)).toThrow(message);
  });
});
