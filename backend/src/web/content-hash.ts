/** Hexadecimal hash of webpack, Parcel and others: digits and letters, from 8 symbols up to a SHA-256. */
const HEX = /^(?=.*\d)(?=.*[a-f])[\da-f]{8,64}$/;
/** The only digits are a year or a date: `20240608a`, `cafe2024`. */
const DATED = /^[a-f]*(19|20)\d\d(\d{4})?[a-f]*$/;
/** Hash of Vite and Rollup (base64url) or esbuild (base32): 8 symbols with a capital. */
const SYMBOLS = /^(?=.*[A-Z])[\w-]{8}$/;
const SYMBOLS_LENGTH = 8;
const SIZE = /^\d+[xX]\d+$/;
/** Bundlers write these; images, fonts and documents have their names from people: `Inter-SemiBold.woff2`. */
const BUNDLED = /\.(css|js|mjs)$/;
/** Pages load these by name: scripts, styles, data, fonts, pictures, audio and video. */
const LOADED =
  /\.(css|m?js|json|wasm|woff2?|[ot]tf|eot|avif|bmp|gif|ico|jpe?g|png|svg|webp|aac|flac|m4a|mp[34]|og[agv]|wav|webm)$/i;
const LETTERS_AND_DIGITS = /^(?=.*\d)[\da-z]{8,64}$/i;
const ANY_HEX = /^[\da-f]{8,64}$/i;
/** 8 symbols but a word: `settings`. */
const ANY_SYMBOLS = /^(?![a-z]{8}$)[\w-]{8}$/;
const DATE = /^(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/;

/**
 * Returns whether a file name certainly has a content hash, so that the file never changes under it. In doubt it has none: a
 * browser then asks once too often, in place of a year with an old file.
 *
 * @param name without folders and without the suffix of a variant.
 */
export function hasContentHash(name: string): boolean {
  const parts = name.split('.').slice(0, -1);
  return parts.some((part) => {
    const tail = part.slice(part.lastIndexOf('-') + 1);
    return isHex(tail) || isSymbols(symbolsOf(part), BUNDLED.test(name));
  });
}

/**
 * Returns whether a file that pages load may have a content hash in its name, so that a page of another build may still need it.
 * In doubt it has one: {@link hasContentHash} misses a tenth of some bundlers' scripts, and a page needs all of its scripts. Of
 * 1,000 hashes of a bundler this misses one.
 *
 * @param name without folders.
 */
export function mayHaveHash(name: string): boolean {
  if (!LOADED.test(name)) return false;
  const parts = name.split('.').slice(0, -1);
  return parts.some((part, index) => {
    const tail = part.slice(part.lastIndexOf('-') + 1);
    const isAfterDot = index > 0 && part.length === SYMBOLS_LENGTH;
    const symbols = isAfterDot ? part : symbolsOf(part);
    if (DATE.test(tail)) return false;
    return LETTERS_AND_DIGITS.test(tail) || ANY_HEX.test(tail) || ANY_SYMBOLS.test(symbols);
  });
}

function isHex(text: string): boolean {
  return HEX.test(text) && !DATED.test(text);
}

/** Returns the last symbols of a part if a separator is before them, as a hash may have a `-` itself. */
function symbolsOf(part: string): string {
  return part.at(-SYMBOLS_LENGTH - 1) === '-' ? part.slice(-SYMBOLS_LENGTH) : '';
}

function isSymbols(text: string, isBundled: boolean): boolean {
  if (!SYMBOLS.test(text) || SIZE.test(text)) return false;
  const digits = text.match(/\d+/g) ?? [];
  if (digits.length > 1) return true;
  // `Settings`: one word with a capital. A hash of letters has capitals inside.
  const hasCapitalInside = /.[A-Z]/.test(text);
  return !readsAsWords(text) && (digits.length === 1 || (isBundled && hasCapitalInside));
}

/** Returns whether each word (`SemiBold`: two) could be spoken: it has a vowel and no three consonants in a row. */
function readsAsWords(text: string): boolean {
  const words = text.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return words.every((word) => /[aeiouy]/i.test(word) && !/[^aeiouy]{3}/i.test(word));
}
