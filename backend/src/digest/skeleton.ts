/**
 * The skeleton of a message is the message without the parts that differ between two occurrences of one fault.
 * `Order 4711 of ann@example.com not found` and `Order 4712 of bob@example.com not found` both become
 * `Order <n> of <email> not found`.
 */

/** Raw characters read; bounds the cost of a hostile message. */
export const MAX_RAW_LENGTH = 4_000;
/** Code points of a skeleton, counted after the replacements, so that a long id shortens nothing. */
const MAX_LENGTH = 200;
/** Longest word that can be a host name (RFC 1035: 253) or a labelled status. */
const MAX_NAME_LENGTH = 300;

const LINE_BREAK = /[\r\n\u2028\u2029]+/;
const GAP = /[\s\p{Cc}]+/u;
const URL_TEXT = /\b[a-z][a-z\d+.-]{1,19}:\/\/[^\s"'`<>()[\]{}]*[^\s"'`<>()[\]{}.,:;!?]/gi;
/** A quote opens after and closes before a character other than letter and digit: `can't` quotes nothing. */
const QUOTED =
  /(?<![\p{L}\p{Nd}])(?:"([^"]*)"|'([^']*)'|`([^`]*)`|“([^“”]*)”|‘([^‘’]*)’|«([^«»]*)»)(?![\p{L}\p{Nd}])/gu;
const IDENTIFIER = /^[\p{L}_$]+$/u;
const EMAIL = /[^\s@]@[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}/u;
const DIGIT = /\p{Nd}/u;

/** Reserved, private and the common generic top-level names. Country codes are left out: `user.id` is code. */
const HOST =
  /^\W*(?:(?:[a-z\d_-]+\.)+(?:com|net|org|io|dev|app|cloud|internal|local|localdomain|lan|corp|intern|example|test|invalid|svc)|localhost)\W*$/i;
/** After these codes node names the host it tried: `getaddrinfo ENOTFOUND postgres`. */
const HOST_FOLLOWS =
  /^(?:ENOTFOUND|EAI_AGAIN|EAI_FAIL|ENODATA|ESERVFAIL|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

const STATUS = /^\W*[1-5]\d\d\W*$/;
const STATUS_FOLLOWS = /(?:status|code)[:=]?$/i;
const STATUS_WITH_LABEL = /^\W*[a-z_-]*(?:status|code)[:=][1-5]\d\d\W*$/i;

/**
 * Returns the first non-empty line in NFC, with URLs as `<url>`, mail addresses as `<email>`, quoted text as `<str>`
 * unless it is an identifier without digits, and every word with a digit as `<n>` (runs collapsed; a 3-digit HTTP status
 * after "status" or "code" stays).
 *
 * Host names become `<n>` too, with or without digits: an error on `db-1.internal:5432`, `10.0.0.7:5432` and `localhost`
 * is one fault.
 */
export function skeletonOf(message: string): string {
  const start = message.slice(0, MAX_RAW_LENGTH * 2).trimStart();
  const line = (start.slice(0, MAX_RAW_LENGTH).split(LINE_BREAK, 1)[0] ?? '').normalize('NFC');
  const replaced = line.replace(URL_TEXT, '<url>').replace(QUOTED, (quoted, ...groups) => {
    const text = groups.slice(0, 6).find((group) => typeof group === 'string');
    return typeof text === 'string' && IDENTIFIER.test(text) ? quoted : '<str>';
  });
  return cut(collapse(replaced.split(GAP)));
}

function collapse(words: readonly string[]): string {
  const result: string[] = [];
  let previous = '';
  for (const word of words) {
    const replaced = replacementFor(word, previous);
    if (replaced !== '' && !(replaced === '<n>' && result.at(-1) === '<n>')) result.push(replaced);
    previous = word;
  }
  return result.join(' ');
}

function replacementFor(word: string, previous: string): string {
  if (EMAIL.test(word)) return '<email>';
  if (word.length > MAX_NAME_LENGTH) return DIGIT.test(word) ? '<n>' : word;
  if (HOST.test(word) || (HOST_FOLLOWS.test(previous) && !word.startsWith('<'))) return '<n>';
  if (!DIGIT.test(word)) return word;
  if (STATUS_WITH_LABEL.test(word)) return word;
  return STATUS.test(word) && STATUS_FOLLOWS.test(previous) ? word : '<n>';
}

function cut(text: string): string {
  return text.length <= MAX_LENGTH ? text : [...text].slice(0, MAX_LENGTH).join('').trimEnd();
}
