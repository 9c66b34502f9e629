/**
 * Crockford's base32 (https://www.crockford.com/base32.html), as people read, type and spell it: no I, L, O, U.
 * Eight symbols are 40 bits: 100,000 faults have a pair with the same eight with a probability of 0.45 %.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS_A_SYMBOL = 5;
const SYMBOLS = 8;
const HEX_DIGITS = 10;

const EVENT_ID = /^[\da-f]{32}$/;

/** The first 40 bits of a hexadecimal text as `XXXX-XXXX`. Throws RangeError when it holds fewer. */
export function symbolsOf(hex: string): string {
  const head = hex.slice(0, HEX_DIGITS);
  if (!/^[\da-f]{10}$/i.test(head)) throw new RangeError('Expected at least 10 hexadecimal digits');
  let bits = Number.parseInt(head, 16);
  let symbols = '';
  while (symbols.length < SYMBOLS) {
    symbols = ALPHABET.charAt(bits % ALPHABET.length) + symbols;
    bits = Math.floor(bits / ALPHABET.length);
  }
  return `${symbols.slice(0, 4)}-${symbols.slice(4)}`;
}

/**
 * What people read out of one occurrence: the first 40 bits of its event id (32 hex digits, or a UUID with
 * dashes). Throws RangeError on anything else; ids are checked where they come in.
 */
export function referenceOf(eventId: string): string {
  const hex = eventId.toLowerCase().replaceAll('-', '');
  if (!EVENT_ID.test(hex)) throw new RangeError('Expected an event id of 32 hexadecimal digits');
  return symbolsOf(hex);
}

/**
 * The hexadecimal digits that up to 8 symbols fix, for a search by prefix: 8 symbols give 10 digits, 4 give 5,
 * 5 give 6 (a rest of less than 4 bits is dropped, so more may fit than was meant). Symbols as readBack gives
 * them, without a hyphen. Throws RangeError on other characters.
 */
export function hexPrefixOf(symbols: string): string {
  let bits = '';
  for (const symbol of symbols.replaceAll('-', '')) {
    const value = ALPHABET.indexOf(symbol);
    if (value === -1) throw new RangeError('Expected Crockford base32 symbols');
    bits += value.toString(2).padStart(BITS_A_SYMBOL, '0');
  }
  const nibbles = bits.match(/.{4}/g) ?? [];
  return nibbles.map((nibble) => Number.parseInt(nibble, 2).toString(16)).join('');
}
