/**
 * Crockford's base32 (https://www.crockford.com/base32.html), which people read, type and spell reliably: no I, L, O, U.
 * Eight symbols are 40 bits: 100,000 faults contain a pair with the same eight with a probability of 0.45 %.
 */
export const CROCKFORD_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS_A_SYMBOL = 5;
/** Symbols of a whole digest or reference: 40 bits. */
export const DIGEST_SYMBOLS = 8;
const HEX_DIGITS = 10;

const EVENT_ID = /^[\da-f]{32}$/;

/** Returns the first 40 bits of a hexadecimal text as `XXXX-XXXX`. Throws RangeError when it has fewer. */
export function symbolsOf(hex: string): string {
  const head = hex.slice(0, HEX_DIGITS);
  if (!/^[\da-f]{10}$/i.test(head)) throw new RangeError('Expected at least 10 hexadecimal digits');
  let bits = Number.parseInt(head, 16);
  let symbols = '';
  while (symbols.length < DIGEST_SYMBOLS) {
    symbols = CROCKFORD_ALPHABET.charAt(bits % CROCKFORD_ALPHABET.length) + symbols;
    bits = Math.floor(bits / CROCKFORD_ALPHABET.length);
  }
  return `${symbols.slice(0, 4)}-${symbols.slice(4)}`;
}

/**
 * Returns the reference of an event: the first 40 bits of its id (32 hex digits, or a UUID with hyphens). Throws
 * RangeError on anything else; ids are checked at intake.
 */
export function referenceOf(eventId: string): string {
  const hex = eventId.toLowerCase().replaceAll('-', '');
  if (!EVENT_ID.test(hex)) throw new RangeError('Expected an event id of 32 hexadecimal digits');
  return symbolsOf(hex);
}

/**
 * Returns the hexadecimal digits that up to 8 symbols determine, for a search by prefix: 8 symbols give 10 digits, 4 give
 * 5, 5 give 6 (a rest of less than 4 bits is dropped, so that more ids may match). Takes symbols as readBack returns
 * them, without a hyphen. Throws RangeError on other characters.
 */
export function hexPrefixOf(symbols: string): string {
  let bits = '';
  for (const symbol of symbols.replaceAll('-', '')) {
    const value = CROCKFORD_ALPHABET.indexOf(symbol);
    if (value === -1) throw new RangeError('Expected Crockford base32 symbols');
    bits += value.toString(2).padStart(BITS_A_SYMBOL, '0');
  }
  const nibbles = bits.match(/.{4}/g) ?? [];
  return nibbles.map((nibble) => Number.parseInt(nibble, 2).toString(16)).join('');
}
