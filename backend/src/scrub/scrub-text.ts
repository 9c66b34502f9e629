import { scrubAccountNumbers } from './account-numbers.ts';
import { FILTERED, SENSITIVE_WORD, isSensitiveParameter, isStrongName } from './sensitive-names.ts';

/**
 * Every expression here takes linear time: repetitions are bounded, or cover only characters that cannot start another
 * match (regular-expression denial of service). 64 KiB of the worst text take about 10 ms.
 */

/** A truncated key ends with the text. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,10}-----[^]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,10}-----|$)/g;
/** `scheme://user:password@host`; it ends with the last @ before the path. */
const USERINFO = /\/\/[^\s/?#"'<>]+@/g;
const BEARER = /\b(Bearer\s{1,3})(?!(?:token|auth\w*|scheme|realm|error)\b)[\w.~+/-]+=*/gi;
const BASIC = /\b(Basic\s{1,3})([\w+/-]{6,}={0,2})/gi;
/** Base64 of `user:password` has mixed case or a digit; "Basic authentication" does not. */
const BASE64_LIKE = /[a-z][A-Z]|[\d=]/;
/** RFC 7519: the first part is the encoded header, whose JSON begins with `{"`. */
const JSON_WEB_TOKEN = /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g;
/** The first name has no further header in it: else each header of many would read 200 characters of those behind it. */
const COOKIE_HEADER =
  /\b((?:set-)?cookie["']?\s{0,3}:\s{0,3}["']?)(?:(?!cookie["']?\s{0,3}:)[^\r\n"'=]){1,200}=[^\r\n"']*/gi;

const SEPARATOR = String.raw`\s{0,3}(?:=>|:=|[=:]|%3D)\s{0,3}`;
const DOUBLE_QUOTED = String.raw`"(?:[^"\\]|\\[^])*`;
const SINGLE_QUOTED = String.raw`'(?:[^'\\]|\\[^])*`;
const ESCAPED_QUOTED = String.raw`\\{1,4}["'][^"'\\]*`;
const UNQUOTED = String.raw`[^\s&;,"'<>(){}|\\]+`;
/** `password=…`, `"apiKey": "…"`, `user[token]=…`, `{ secret: '…' }`, `authToken%3D…`. */
const PAIR = new RegExp(
  `((?:${SENSITIVE_WORD})[\\w.\\]-]{0,40})(\\\\{0,4}["'\`]?)(${SEPARATOR})(${DOUBLE_QUOTED}|${SINGLE_QUOTED}|${ESCAPED_QUOTED}|${UNQUOTED})`,
  'gi',
);
const OPENING_QUOTE = /^\\*["']/;
/** Already filtered, truncated, or no value: literals, and the types of source code. */
const HARMLESS = /^(?:$|…|\[Filtered\]|(?:null|undefined|true|false|string|number|boolean|unknown)$)/;

const PARAMETER = /([?&])([^=&#\s"'<>?]{1,100})=([^&#\s"'<>]+)/g;

/**
 * Necessary condition of every expression above, checked first: nine of ten strings of an event do not meet it. The
 * colon of `http:` and `https:` does not count, because every frame has a URL; one after a name that ends in them does.
 */
const MARKER = /[=@%]|(?<!(?:^|[^\w.\]-])https?):|-----BEGIN |eyJ|(?:bearer|basic)\s/i;
/** Further condition of {@link BEARER}, {@link COOKIE_HEADER} and {@link PAIR}. */
const WORD = new RegExp(SENSITIVE_WORD, 'i');

/**
 * Removes secrets from a text and keeps all other characters, so that a message still explains its cause. Callers
 * truncate the text first: V8 throws a RangeError on repetitions over many megabytes.
 */
export function scrubText(text: string): string {
  return scrubAccountNumbers(MARKER.test(text) ? scrubMarked(text) : text);
}

function scrubMarked(text: string): string {
  const withoutKeys = text.replace(PRIVATE_KEY, FILTERED).replace(USERINFO, `//${FILTERED}@`);
  const hasWord = WORD.test(withoutKeys);
  const withoutTokens = (hasWord ? withoutKeys.replace(BEARER, `$1${FILTERED}`) : withoutKeys)
    .replace(BASIC, (whole, scheme: string, value: string) =>
      BASE64_LIKE.test(value) ? scheme + FILTERED : whole,
    )
    .replace(JSON_WEB_TOKEN, FILTERED);
  const withoutPairs = hasWord
    ? withoutTokens.replace(COOKIE_HEADER, `$1${FILTERED}`).replace(PAIR, scrubPair)
    : withoutTokens;
  return withoutPairs.includes('=') ? withoutPairs.replace(PARAMETER, scrubParameter) : withoutPairs;
}

/** Removes secrets from a query or a form without a leading `?`: `sid=1&page=2`. */
export function scrubQuery(query: string): string {
  return scrubText(`?${query}`).slice(1);
}

function scrubPair(whole: string, name: string, quote: string, separator: string, value: string): string {
  const opening = OPENING_QUOTE.exec(value)?.[0] ?? '';
  const bare = value.slice(opening.length);
  const isData = opening !== '' || quote !== '' || !/\s/.test(separator) || isStrongName(name);
  if (HARMLESS.test(bare)) return whole;
  const scrubbed = isData || looksSecret(bare) ? opening + FILTERED : value.replace(PAIR, scrubPair);
  return name + quote + separator + scrubbed;
}

/** In prose (`token: expired`) and in source code (`token = request.token`) most values are no secrets. */
function looksSecret(value: string): boolean {
  if (value.length < 6 || value.includes(FILTERED)) return false;
  return /\d/.test(value) || (value.length >= 16 && !/^[\w$.]+$/.test(value));
}

function scrubParameter(whole: string, mark: string, name: string): string {
  return isSensitiveParameter(decoded(name)) ? `${mark}${name}=${FILTERED}` : whole;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
