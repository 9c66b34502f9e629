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
const MIN_CARD_DIGITS = 13;
const MAX_CARD_DIGITS = 19;

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
  return CARD.test(digits) && luhn(digits);
}

/** A card starts and ends with a group of digits: in `2024 4111 1111 1111 1111` one follows a year. */
function scrubRun(run: string): string {
  const groups = [...run.matchAll(/\d+/g)];
  let scrubbed = '';
  let copiedTo = 0;
  for (let first = 0; first < groups.length; first += 1) {
    const end = cardEnd(groups, first);
    const start = groups[first]?.index ?? 0;
    if (end === -1 || start < copiedTo) continue;
    scrubbed += run.slice(copiedTo, start) + FILTERED;
    copiedTo = end;
  }
  return scrubbed + run.slice(copiedTo);
}

/** Returns the end of the card that starts with this group, or -1. Reads at most 19 digits. */
function cardEnd(groups: readonly RegExpExecArray[], first: number): number {
  let digits = '';
  for (let index = first; index < groups.length && digits.length < MAX_CARD_DIGITS; index += 1) {
    const group = groups[index];
    digits += group?.[0] ?? '';
    if (digits.length >= MIN_CARD_DIGITS && isCardNumber(digits))
      return (group?.index ?? 0) + (group?.[0].length ?? 0);
  }
  return -1;
}

/** ISO/IEC 7812-1, annex B. */
function luhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - index));
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
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
