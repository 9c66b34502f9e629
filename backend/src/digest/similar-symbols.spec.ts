import fc from 'fast-check';
import { CROCKFORD_ALPHABET } from './crockford.ts';
import { lengthenedSymbols, similarSymbols } from './similar-symbols.ts';

it.each([
  ['one other symbol', '2TF5F66G', '2TF5F6HG'],
  ['two neighbours swapped', '2TF5F66G', 'T2F5F66G'],
  ['two neighbours swapped across the hyphen', '2TF5F66G', '2TFF566G'],
  ['two that look alike', '2TF5F66G', 'ZTFSF66G'],
  ['two neighbours that look alike', '8BMN0000', 'B8MN0000'],
  ['0 read as D and 8 as B', '0TF8F66G', 'DTFBF66G'],
  ['9 read as g and 1 as 7', '9TF1F66G', 'GTF7F66G'],
])('lists %s', (_, meant, typed) => {
  expect(similarSymbols(typed)).toContain(meant);
  expect(similarSymbols(meant)).toContain(typed);
});

it.each([
  ['two symbols that do not look alike', '2TF5F66G', 'WTFXF66G'],
  ['three that look alike', '2TF5F66G', 'ZTFSF6BG'],
  ['the text itself', '2TF5F66G', '2TF5F66G'],
])('does not list %s', (_, meant, typed) => {
  expect(similarSymbols(typed)).not.toContain(meant);
});

it('lists other digests of the same length, each once, and few enough for one query', () => {
  const digest = fc.string({ unit: fc.constantFrom(...CROCKFORD_ALPHABET), minLength: 8, maxLength: 8 });

  fc.assert(
    fc.property(digest, (symbols) => {
      const similar = similarSymbols(symbols);

      expect(new Set(similar).size).toBe(similar.length);
      expect(similar.every((other) => other.length === 8)).toBe(true);
      // 20 candidates of one text, with at most 32,766 parameters of SQLite.
      expect(similar.length).toBeLessThan(800);
    }),
  );
});

it('lists the digests that lack a symbol at any place', () => {
  const lengthened = lengthenedSymbols('2TF5F66');

  expect(lengthened).toEqual(expect.arrayContaining(['A2TF5F66', '2TFA5F66', '2TF5F66A']));
  expect(new Set(lengthened).size).toBe(lengthened.length);
  expect(lengthened.every((other) => other.length === 8)).toBe(true);
});
