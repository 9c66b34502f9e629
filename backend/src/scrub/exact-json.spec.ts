import { isExactNumber } from '../digest/fields.ts';
import { parseExact } from './exact-json.ts';

describe('parseExact', () => {
  it.each([
    '{"id":1100000000000000001}',
    '{"id":-9007199254740993}',
    '[1100000000000000001,18446744073709551615]',
    '[1,\n 1100000000000000001]'.replace('\n ', ''),
    '{"a":{"b":[{"c":12345678901234567890}]}}',
    '{"price":1.0}',
    '{"price":19.90}',
    '{"price":[0.0]}',
    '{"ratio":0.1000000000000000055}',
    '{"count":1e3}',
    '{"count":1.5E-7}',
    '{"amount":12345678901234567.89}',
  ])('keeps the digits of %s', (text) => {
    expect(JSON.stringify(parseExact(text))).toBe(text);
  });

  it.each([
    '{"a":7}',
    '{"a":9007199254740991}',
    '{"t":1795264200.883}',
    '{"t":1795264200.8830001}',
    '{"a":-0.5}',
  ])('makes doubles of %s, which they hold', (text) => {
    const numbers = Object.values(parseExact(text) as object);

    expect(numbers.map((number) => typeof number)).toEqual(['number']);
    expect(JSON.stringify(parseExact(text))).toBe(text);
  });

  it('leaves texts alone that look like numbers', () => {
    const text = '{"a":"x: 1100000000000000001","b":", 1.0","c":[true,null]}';

    expect(parseExact(text)).toEqual(JSON.parse(text));
  });

  it('reads NaN and Infinity as null, and leaves texts alone that contain the words', () => {
    const text = String.raw`{"a":NaN,"b":[Infinity, -Infinity],"c":"NaN, \"Infinity\\","d":1.0,"NaN":1100000000000000001}`;

    expect(JSON.stringify(parseExact(text))).toBe(
      String.raw`{"a":null,"b":[null,null],"c":"NaN, \"Infinity\\","d":1.0,"NaN":1100000000000000001}`,
    );
  });

  it.each(['{"a":nan}', '{"a":1NaN}', '{"a":NaNNaN}', '[Infinityx]', '{NaN:1}', '{"a":"NaN', '["NaN\\'])(
    'throws for %s',
    (text) => {
      expect(() => parseExact(text)).toThrow(SyntaxError);
    },
  );

  it('ends for four million characters of a text without an end', () => {
    const text = `[NaN,"${'\\"'.repeat(2_000_000)}`;

    expect(() => parseExact(text)).toThrow(SyntaxError);
  });

  it('reads a document of very many levels', () => {
    const text = `${'['.repeat(200_000)}1100000000000000001${']'.repeat(200_000)}`;

    expect(Array.isArray(parseExact(text))).toBe(true);
  });

  it('throws for a text that is no JSON', () => {
    expect(() => parseExact('{"a":1100000000000000001')).toThrow(SyntaxError);
  });

  it('makes numbers that differ from objects', () => {
    expect([parseExact('[1.0]')].flat().map(isExactNumber)).toEqual([true]);
    expect(isExactNumber({ rawJSON: '1.0' })).toBe(false);
  });
});
