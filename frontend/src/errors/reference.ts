/** Crockford's base32: no I, L, O, U, so that people can read it out over a telephone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SYMBOLS = 8;

/** Returns the reference of an event: the first 40 bits of its ID as `XXXX-XXXX`. */
export function referenceOf(eventId: string): string {
  let bits = BigInt(`0x${eventId.slice(0, 10)}`);
  let text = '';
  for (let index = 0; index < SYMBOLS; index += 1) {
    text = ALPHABET.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}
