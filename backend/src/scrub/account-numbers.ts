import { FILTERED } from './sensitive-names.ts';

/**
 * Numbers that identify a person's account: payment cards, IBANs, US social security numbers (Relay's `@creditcard`,
 * `@iban`, `@usssn`). Cards and IBANs must have valid check digits, so that order numbers and timestamps stay.
 */

/** UUIDs are matched first and stay unchanged: their groups of digits may look like a card. */
const UUID_OR_DIGITS =
  /(?<![\da-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f])|(?<![\w.])\d(?:[ \u00a0-]?\d){11,}(?!\w)/gi;
const IBAN = /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?!\w)/g;
const US_SSN = /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g;

/** Necessary condition of all three, checked first: few strings meet it. */
const NUMBER = /\d(?:[ \u00a0-]?\d){11}|[A-Z]{2}\d{2}|\d{3}-\d{2}-\d{4}/;

/** Visa, Mastercard, American Express, Diners, JCB, Discover and UnionPay by prefix and length (ISO/IEC 7812). */
const CARD =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|6(?:011|4[4-9]\d|5\d\d|2\d\d)\d{12,15})$/;
const CARD_START = /^[2-6]/;
const MIN_CARD_DIGITS = 13;
const MAX_CARD_DIGITS = 19;
const GROUP = /\d+/g;
const SEPARATORS = /\D+/g;
const ZERO = 0x30;
/** Sums of the digits of twice each digit. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];

/** Replaces account numbers by `[Filtered]`. */
export function scrubAccountNumbers(text: string): string {
  if (!NUMBER.test(text)) return text;
  return text
    .replace(UUID_OR_DIGITS, (run) => (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-/i.test(run) ? run : scrubRun(run)))
    .replace(IBAN, (number) => (isIban(number) ? FILTERED : number))
    .replace(US_SSN, FILTERED);
}

/** Returns whether digits without separators are a card number: prefix, length and check digit. */
export function isCardNumber(digits: string): boolean {
  return CARD.test(digits) && cardEnd(digits, 0, digits) !== -1;
}

/** A card starts and ends with a group of digits: in `2024 4111 1111 1111 1111` one follows a year. */
function scrubRun(run: string): string {
  const digits = run.replace(SEPARATORS, '');
  let digitsBefore = 0;
  let scrubbed = '';
  let copiedTo = 0;
  for (const { 0: group, index } of run.matchAll(GROUP)) {
    const next = digits.slice(digitsBefore, digitsBefore + MAX_CARD_DIGITS);
    const end = index < copiedTo ? -1 : cardEnd(run, index, next);
    digitsBefore += group.length;
    if (end === -1) continue;
    scrubbed += run.slice(copiedTo, index) + FILTERED;
    copiedTo = end;
  }
  return scrubbed + run.slice(copiedTo);
}

/**
 * Returns the end of the card that starts at `start`; -1 for none. Reads each digit of one card once: in the text of an
 * attacker any digit may start a card.
 *
 * @param digits - Those from `start` on, without separators, as many as the longest card has.
 */
function cardEnd(run: string, start: number, digits: string): number {
  if (!CARD_START.test(digits)) return -1;
  // ISO/IEC 7812-1, annex B: every second digit counts double, from the last but one on.
  let [sum, sumWithLastDoubled] = [0, 0];
  let at = start;
  for (let count = 1; count <= digits.length; count += 1, at += 1) {
    // A run has one separator at most between two digits.
    if (!isDigit(run, at)) at += 1;
    const digit = digits.charCodeAt(count - 1) - ZERO;
    [sum, sumWithLastDoubled] = [sumWithLastDoubled + digit, sum + (DOUBLED[digit] ?? 0)];
    const isCandidate = count >= MIN_CARD_DIGITS && sum % 10 === 0 && !isDigit(run, at + 1);
    if (isCandidate && CARD.test(digits.slice(0, count))) return at + 1;
  }
  return -1;
}

function isDigit(run: string, at: number): boolean {
  const digit = run.charCodeAt(at) - ZERO;
  return digit >= 0 && digit <= 9;
}

/** ISO 13616: with the first four characters at the end and letters as 10 to 35, the number is 1 modulo 97. */
function isIban(text: string): boolean {
  const bare = text.replaceAll(' ', '');
  let rest = 0;
  for (const symbol of bare.slice(4) + bare.slice(0, 4)) {
    const value = Number.parseInt(symbol, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
