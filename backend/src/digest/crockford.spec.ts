import fc from 'fast-check';
import { hexPrefixOf, referenceOf, symbolsOf } from './crockford.ts';

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

describe('symbolsOf', () => {
  it.each([
    ['0000000000', '0000-0000'],
    ['ffffffffff', 'ZZZZ-ZZZZ'],
    ['00000000010000', '0000-0001'],
    ['3a6e414b4c', '79Q4-2JTC'],
  ])('writes the first 40 bits of %s as %s', (digits, symbols) => {
    expect(symbolsOf(digits)).toBe(symbols);
  });

  it('refuses fewer than 40 bits and texts that are not hexadecimal', () => {
    expect(() => symbolsOf('123456789')).toThrow(RangeError);
    expect(() => symbolsOf('not hex digits')).toThrow(RangeError);
  });
});

describe('hexPrefixOf', () => {
  it('gives back the 40 bits symbolsOf wrote', () => {
    fc.assert(fc.property(hex(10), (digits) => expect(hexPrefixOf(symbolsOf(digits))).toBe(digits)));
  });

  it('gives a prefix of the same digits for every prefix of the symbols', () => {
    fc.assert(
      fc.property(hex(64), fc.integer({ min: 0, max: 8 }), (digits, length) => {
        const prefix = hexPrefixOf(symbolsOf(digits).replace('-', '').slice(0, length));

        expect(digits.startsWith(prefix)).toBe(true);
        expect(prefix).toHaveLength(Math.floor((length * 5) / 4));
      }),
    );
  });

  it('refuses a character that is no symbol', () => {
    expect(() => hexPrefixOf('7KU4')).toThrow(RangeError);
  });
});

describe('referenceOf', () => {
  it('is the first 40 bits of an event id, with or without dashes', () => {
    expect(referenceOf('3a6e414b4c0000000000000000000000')).toBe('79Q4-2JTC');
    expect(referenceOf('3A6E414B-4C00-0000-0000-000000000000')).toBe('79Q4-2JTC');
  });

  it('refuses a text that is no event id', () => {
    expect(() => referenceOf('3a6e414b4c')).toThrow(RangeError);
  });
});
