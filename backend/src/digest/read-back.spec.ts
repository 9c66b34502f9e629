import fc from 'fast-check';
import { symbolsOf } from './crockford.ts';
import { readBack } from './read-back.ts';

const symbols = (text: string) => ({ kind: 'symbols', symbols: text });
const exact = (digest: string) => ({ kind: 'exact', digest });
const symbolsIn = (text: string) => readBack(text).filter(({ kind }) => kind === 'symbols');

const serverPage =
  'Application error: a server-side exception has occurred (see the server logs for more information).';

describe('readBack', () => {
  it.each([
    '7KQ4-M2XD',
    '7KQ4M2XD',
    '7kq4 m2xd',
    '7KQ4–M2XD',
    '7KQ4\u2011M2XD',
    '7KQ4 − M2XD',
    '7K Q4 M2 XD',
    ' «7kq4-m2xd». ',
    '7KQ4\u00a0M2XD',
    '7KQ4\u200b-M2XD',
    '７KQ4-M2XD',
    '7KQ4ーM2XD',
    '7KQ4ｰM2XD',
    '７ＫＱ４ーＭ２ＸＤ',
    '7KQ4 一 M2XD',
    '7KQ4\u2066-\u2069M2XD',
    '\u202B7KQ4-M2XD\u202C',
    '\u061C7KQ4-M2XD',
    '7KQ4-\uFE0FM2XD',
    '٧KQ٤-M٢XD',
    '۷KQ۴-M۲XD',
    '७KQ४-M२XD',
    '𝟳KQ𝟰-M𝟮XD',
    '7KQ4.M2XD',
    '7KQ4/M2XD',
    '7KQ4・M2XD',
    '7KQ4。M2XD',
    '7KQ4 · M2XD',
  ])('reads %j as one digest', (pasted) => {
    expect(symbolsIn(pasted)).toEqual([symbols('7KQ4M2XD')]);
  });

  it('reads halves with an underscore, which an own digest may have, too', () => {
    expect(readBack('7KQ4_M2XD')).toEqual([exact('7KQ4_M2XD'), symbols('7KQ4M2XD')]);
  });

  it('reads the digits of every script', () => {
    const read = Intl.supportedValuesOf('numberingSystem')
      .filter((system) => system !== 'hanidec')
      .map((system) => new Intl.NumberFormat('en', { numberingSystem: system, useGrouping: false }))
      .map((format) => [...'12345678'].map((digit) => format.format(Number(digit))).join(''));

    expect(read.length).toBeGreaterThan(70);
    expect(
      read.filter(
        (text) => !readBack(text).some((found) => found.kind === 'symbols' && found.symbols === '12345678'),
      ),
    ).toEqual([]);
  });

  it.each(['v1.2.3', '10.0.0.7', 'a/b/c/d', '12:30:45', 'app.main.ts'])('reads no prefix in %j', (pasted) => {
    expect(symbolsIn(pasted)).toEqual([]);
  });

  it('reads amounts and versions after parts with a hyphen', () => {
    const amounts = Array.from({ length: 30 }, (_, index) => `${1000 + index}.5678`).join(' and ');

    expect(symbolsIn(`${amounts} at 7KQ4-M2XD`)[0]).toEqual(symbols('7KQ4M2XD'));
  });

  it('reads O as 0, I and L as 1, U as V', () => {
    expect(symbolsIn('OIL0-ulio')).toEqual([symbols('0110V110')]);
  });

  it('finds the digest in the whole text of the error page and nothing else', () => {
    expect(readBack(`${serverPage}\nDigest: 7KQ4-M2XD`)).toEqual([exact('7KQ4-M2XD'), symbols('7KQ4M2XD')]);
  });

  it('does not take words of a sentence for a digest', () => {
    expect(readBack(serverPage)).toEqual([]);
    expect(
      readBack('It occurred when this page was open, a well-made real-time thing. Digest below'),
    ).toEqual([]);
  });

  it.each([
    'the page says digest 7kq4 m2xd since noon',
    'X-Errata-Digest: 7KQ4-M2XD',
    '{"status":500,"digest":"7KQ4-M2XD"}',
    'https://errata.example/console/e/7KQ4-M2XD?from=mail',
    'please look at 7KQ4-M2XD, it happened twice',
    'please look at 7kq4m2xd',
    'code 7KQ4 M2XD?',
    'Digest:\n7KQ4-M2XD',
    'Digest: 7KQ4.M2XD.',
    'ダイジェスト Digest：７ＫＱ４ーＭ２ＸＤ',
    'it says 7KQ4_M2XD since noon',
    'it says 7KQ4 . M2XD since noon',
  ])('finds it in %j', (pasted) => {
    expect(symbolsIn(pasted)[0]).toEqual(symbols('7KQ4M2XD'));
  });

  it('prefers what follows the word Digest or Reference over another look-alike', () => {
    const reading = symbolsIn('ticket AB12-CD34: Digest: 7KQ4-M2XD\nReference: ZZ99-YY88');

    expect(reading).toEqual([symbols('7KQ4M2XD'), symbols('ZZ99YY88'), symbols('AB12CD34')]);
  });

  it('reads a prefix from 4 symbols, alone or after its label, never out of a sentence', () => {
    expect(symbolsIn('7kq4')).toEqual([symbols('7KQ4')]);
    expect(symbolsIn('Digest: 7KQ4-M2')).toEqual([symbols('7KQ4M2')]);
    expect(symbolsIn('Digest: 7KQ4 and more')).toEqual([symbols('7KQ4')]);
    expect(symbolsIn('7kq')).toEqual([]);
    expect(symbolsIn('order 7kq4 is lost')).toEqual([]);
  });

  it.each([
    '0123456789abcdef0123456789ABCDEF',
    '01234567-89ab-cdef-0123-456789abcdef',
    'event 01234567-89AB-CDEF-0123-456789ABCDEF, twice',
    'Reference: 0123456789abcdef0123456789abcdef',
  ])('reads the event id in %j first', (pasted) => {
    expect(readBack(pasted)[0]).toEqual({ kind: 'event_id', eventId: '0123456789abcdef0123456789abcdef' });
  });

  it('reads a full key', () => {
    expect(readBack('ab'.repeat(32))[0]).toEqual({ kind: 'key', key: 'ab'.repeat(32) });
  });

  it('looks an own digest up exactly before the tolerant reading of the same text', () => {
    expect(readBack('NEXT_NOT-found')).toEqual([exact('NEXT_NOT-found')]);
    expect(readBack('Digest: 2338927374')).toEqual([exact('2338927374')]);
    expect(readBack('12345678').slice(0, 2)).toEqual([exact('12345678'), symbols('12345678')]);
  });

  it('reads 8 to 31 hex digits alone as the beginning of an event id, after a digest', () => {
    const short = (eventId: string) => ({ kind: 'event_id', eventId });

    expect(readBack('ABCDEF12').at(-1)).toEqual(short('abcdef12'));
    expect(readBack('a'.repeat(31))).toEqual([exact('a'.repeat(31)), short('a'.repeat(31))]);
    expect(readBack('abcdef1')).not.toContainEqual(short('abcdef1'));
    expect(readBack('event abcdef123456')).not.toContainEqual(short('abcdef123456'));
  });

  it('finds every digest again in any spelling people use', () => {
    const digest = fc
      .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 10, maxLength: 10 })
      .map(symbolsOf);
    const spelling = fc.constantFrom(
      (text: string) => text.toLowerCase(),
      (text: string) => text.replace('-', ''),
      (text: string) => text.replace('-', ' '),
      (text: string) => text.replaceAll('0', 'O').replaceAll('1', 'l').replaceAll('V', 'u'),
    );

    fc.assert(
      fc.property(digest, spelling, (shown, spell) => {
        const expected = symbols(shown.replace('-', ''));

        expect(readBack(spell(shown))).toContainEqual(expected);
        expect(symbolsIn(`${serverPage}\nDigest: ${spell(shown)}`)[0]).toEqual(expected);
      }),
    );
  });

  it('never throws and gives at most 20 candidates for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (pasted) =>
        expect(readBack(pasted).length).toBeLessThanOrEqual(20),
      ),
    );
    expect(readBack('AB12-CD34 '.repeat(10_000)).length).toBeLessThanOrEqual(20);
  });
});
