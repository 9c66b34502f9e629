/**
 * The forms of the ids by which an event is found: a trace, a request, a user, an order number. Ingest hashes the texts
 * that these functions return, and a search those of a pasted text.
 */

/** Characters of an id that count. SDKs cut tags at 200; trace and request ids have 16 to 55. */
const MAX_LENGTH = 128;
/** NFKC makes up to 18 characters of one, mostly one or two: the beginning decides. */
const MAX_READ = 4 * MAX_LENGTH;
/** A shorter text, or one without a digit, is a word that many events have. */
const CODE = /^(?=\D*\d)\S{6,}$/u;
/** What stands around a word in a sentence. */
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
/** Parts of a word that may be codes: `4711-AB` of `order=4711-AB`, but all of `2956068727@E263` and `orders/7f3a91c2`. */
const PART = /[\p{L}\p{N}](?:[\p{L}\p{N}._@#/+-]*[\p{L}\p{N}])?/gu;
const FILTERED = '[filtered]';
/** A text that is in the form of {@link idText}: most are, and the steps to it take ten times as long as this test. */
const PLAIN = /^[!-@\\-~]{1,128}$/;

/** Names of a request's id in headers, tags and JSON. */
const REQUEST_NAME = /^(?:x[._-])?(?:request|correlation)[._-]?id$|^cf-ray$|^x-amzn-trace-id$/i;
/** Those of a trace, which has many requests: a browser's SDK keeps one until the next navigation. */
const TRACE_NAME = /^(?:x[._-])?trace[._-]?id$|^traceparent$|^sentry-trace$/i;
const AMAZON_ROOT = /(?:^|;)\s*Root=([^;\s]+)/i;
/** `8f2b5c1d9e3a4b6c-FRA`: the data centre differs between a page and the headers behind it. */
const CLOUDFLARE_RAY = /^([\da-f]{16})-[a-z]{3}$/i;
/** `traceparent`, ASP.NET's `00-…-00`, `sentry-trace`: a trace with its span. */
const TRACE = /^(?:[\da-f]{2}-)?([\da-f]{32})-[\da-f]{16}(?:-|$)/i;

/** Returns the text of an id that is hashed; null for none, and where scrubbing has removed it. */
export function idText(value: string): string | null {
  if (PLAIN.test(value)) return value;
  const text = value.slice(0, MAX_READ).normalize('NFKC').trim().toLowerCase().slice(0, MAX_LENGTH);
  return text === '' || text.includes(FILTERED) ? null : text;
}

/** Returns whether a text is a code by itself: six characters or more without a blank, one of them a digit. */
export function isCode(text: string): boolean {
  return CODE.test(text.slice(0, MAX_READ));
}

/** Returns a word of a sentence without the punctuation around it. */
export function bareWord(word: string): string {
  return word.replace(EDGES, '');
}

/** Returns the codes in a sentence: words, and parts of words. Most words have no digit, and cost ingest no more. */
export function codesIn(sentence: string): readonly string[] {
  const codes = new Set<string>();
  for (const word of sentence.split(/\s+/).filter(isCode))
    for (const part of [bareWord(word), ...(word.match(PART) ?? [])]) if (isCode(part)) codes.add(part);
  return [...codes];
}

/** Returns the id of a tag: its value if that is a code, else its name with the value. */
export function tagId(name: string, value: string): string {
  const text = value.trim();
  return isCode(text) ? text : `${name}:${text}`;
}

/** A header, a tag or a member whose value is an id of a request or of its trace. */
export type NamedKind = 'request_id' | 'trace_id';

/** Returns whose id a header, a tag or a member contains: `X-Request-ID`, `correlation_id`, `CF-Ray`; `trace_id`. Null for no id. */
export function idNamed(name: string): NamedKind | null {
  if (REQUEST_NAME.test(name)) return 'request_id';
  return TRACE_NAME.test(name) ? 'trace_id' : null;
}

/** Returns the id in the value of such a member: a trace without its span, Amazon's root, a ray without its data centre. */
export function namedId(value: string): string {
  const text = value.slice(0, MAX_READ).trim();
  const [, id = text] = AMAZON_ROOT.exec(text) ?? CLOUDFLARE_RAY.exec(text) ?? TRACE.exec(text) ?? [];
  return id;
}
