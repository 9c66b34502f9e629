import { bareWord, codesIn, idNamed, isCode, namedId, tagId } from './id-text.ts';
import { plainText } from './read-back.ts';

/** What an id of an event may be; see the table of store/event/event-ids.ts. */
export type IdKind =
  'trace_id' | 'request_id' | 'user' | 'url' | 'release' | 'environment' | 'server' | 'tag';

/** One interpretation of a part of a text. */
export interface IdCandidate {
  readonly as: IdKind;
  readonly value: string;
}

/** The ids that a text may contain. */
export interface PastedIds {
  /** Those that have the form of an id, or stand behind the name of one. */
  readonly certain: readonly IdCandidate[];
  /** Words of a short text that may be codes of an application. */
  readonly words: readonly IdCandidate[];
}

/** Each one is compared with each id of each event that a search reads. */
const MAX_CANDIDATES = 16;
/** A longer text, or one of several lines, is a page or a log, whose words are no ids. */
const MAX_TYPED_LENGTH = 200;

/** `traceparent`, ASP.NET's `00-…-00`, `sentry-trace`: a trace with its span. */
const TRACE = /(?<![\da-z-])(?:[\da-f]{2}-)?([\da-f]{32})-[\da-f]{16}(?:-[\da-f]{1,2})?(?![\w-])/gi;
const HEX = /(?<![\w-])[\da-f]{32}(?![\w-])/gi;
const UUID = /(?<![\w-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/gi;
/** The trace header of Amazon's load balancers. */
const AMAZON = /(?<![\w-])1-[\da-f]{8}-[\da-f]{24}(?![\w-])/gi;
/** The page of Cloudflare, and its header `8f2b5c1d9e3a4b6c-FRA`. */
const RAY = /(?:ray id:?\s{0,3}([\da-f]{16})|(?<![\w-])([\da-f]{16})-[a-z]{3})(?![\w-])/gi;
/** A header line, a member of JSON, a line of an error page, with its value. */
const LABELLED =
  /(?<![\w-])((?:x[._-])?(?:request|correlation|trace)[\s._-]?id|cf-ray|digest|reference|error[\s._-]?(?:id|code))["'”]?\s{0,3}([:=#]?)\s{0,3}["'“]?([^\s"'“”,;<>{}[\]]+)/gi;

const EMAIL = /^(?!')[^\s@"<>()[\]:;,]+@[^\s@"'<>()[\]:;,/]+\.(?:\p{L}{2,}|xn--[a-z\d-]+)$/iu;
/** `shop@1.4.beta` has the form of an e-mail, too. */
const VERSION = /@v?\d/;
/** Browsers show an address without `https://`. */
const URL_ALONE =
  /^(?:https?:\/\/\S+|www\.[\p{L}\d-]+\.[^\s"'<>]+|\/[^\s/"'<>][^\s"'<>]*|(?:localhost(?=:)|[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.(?:\p{L}{2,}|\d+(?=:)))(?::\d+)?\/\S*)$/iu;
/** A URL in a word: behind a bracket or a quotation mark, in a link of Markdown. */
const URL_WITHIN = /https?:\/\/(?:(?!\]\()[^\s"'`<>\\])+/i;
const MARKDOWN = /^!?\[[^\]]*\]\((\S+)\)$/;
/** What begins and ends a quotation. Closing brackets end one unless they belong to the URL: `/Foo_(bar)`. */
const OPENING = /^["'“‘«<([{`*]+/;
const CLOSING = '"\'”’»>`*.,;:!?…';
const CLOSING_BRACKETS = ')]}';
/** A request as the developer tools of a browser show and copy it. */
const COPIED = /^(?:curl\s[^\n]*?|fetch\()["']?(https?:\/\/[^\s"'\\]+)/;
/** The first line of a request, also as a server logs it. */
const REQUEST =
  /(?<![\w-])(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s{1,3}["']?((?:https?:\/)?\/[^\s"'\\]*)/;
/** `environment:production`, `plan:"gold plus"`; a value with slashes is that of a URL. */
const NAMED = /^([\p{L}_][\w.-]*):(\s{0,3})(?!\/)(?:"([^"]*)"|(\S+))$/u;

const USER_NAME = /^(?:e-?mail|(?:user[._-]?)(?:id|name|email))$/i;
/** What stands between the names and values of JSON, queries and headers, and around an e-mail. */
const BETWEEN = /["`<>()[\]{},;:=?&]+/;

const NAMES = ['user', 'release', 'server'] as const;
/** A code that is no part of a sentence, JSON or a URL. */
const NAME = /^[^\s:=?&"'{}[\]()<>]+$/;
/** A digest or a reference. */
const DIGEST = /^[\da-z]{4}-?[\da-z]{4}$/i;

/** A piece of JSON, whose parts are the codes, and the version in the first line of a request. */
const NO_CODE = /["{}]|^HTTP\/\d/;
/** Quotes ask for these very words of a text. */
const QUOTED = /"[^"]*\s[^"]*"/;

const SENTENCE = /application error: a (client|server)-side exception has occurred/i;

/** Finds the ids of events in a pasted text, the most certain first. Digests, references and event ids are {@link readBack}'s. */
export function readIds(pasted: string): PastedIds {
  const text = plainText(pasted);
  const isTyped = text.length <= MAX_TYPED_LENGTH && !text.includes('\n') && !QUOTED.test(text);
  const request = COPIED.exec(text) ?? REQUEST.exec(text);
  const requested = urlsOf(request?.[1] ?? '');
  const isRequest = request?.index === 0;
  const certain = distinct([
    ...whole(text),
    ...labelled(text),
    ...(isRequest ? requested : []),
    ...patterns(text),
    ...(isTyped ? [] : requested),
  ]);
  const words = isTyped ? distinct([...requested, ...wordIds(text), ...nameIds(text, certain)]) : [];
  const known = new Set(certain.flatMap(formsOf).map((form) => form.toLowerCase()));
  const others = words.filter((word) => formsOf(word).some((form) => !known.has(form.toLowerCase())));
  return { certain, words: others.slice(0, MAX_CANDIDATES - certain.length) };
}

/** Returns the texts that an event may have of a candidate; of a URL the store knows them. */
export function formsOf({ as, value }: IdCandidate): readonly string[] {
  if (as === 'tag') return [value];
  if (as !== 'trace_id' && as !== 'request_id') return [`${as}:${value}`];
  const hex = value.toLowerCase().replaceAll('-', '');
  if (!/^[\da-f]{32}$/.test(hex)) return [value];
  return [hex, hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')];
}

/** Returns the source of the page whose sentence a text contains; null for another text. */
export function sentenceIn(pasted: string): 'client' | 'server' | null {
  const [, source] = SENTENCE.exec(pasted.replace(/\s+/g, ' ')) ?? [];
  return source === undefined ? null : source.toLowerCase() === 'client' ? 'client' : 'server';
}

function whole(text: string): readonly IdCandidate[] {
  const bare = unwrapped(MARKDOWN.exec(text)?.[1] ?? text);
  const email = bare.replace(/^mailto:/i, '');
  if (isEmail(email)) {
    const user: IdCandidate = { as: 'user', value: email };
    return VERSION.test(email) ? [user, { as: 'release', value: email }] : [user];
  }
  if (isUrl(bare)) return urlsOf(bare);
  const [, name = '', blank = '', quoted, word] = NAMED.exec(text) ?? [];
  const value = quoted ?? word ?? '';
  if (value === '') return [];
  if (/^(?:server|server_name)$/i.test(name)) return [{ as: 'server', value }];
  if (/^environment$/i.test(name)) return [{ as: 'environment', value }];
  if (USER_NAME.test(name)) return [{ as: 'user', value }];
  // With a blank it is any sentence: `Error: timeout`.
  return blank !== '' || idNamed(name) !== null ? [] : [{ as: 'tag', value: tagId(name, value) }];
}

function labelled(text: string): readonly IdCandidate[] {
  return [...text.matchAll(LABELLED)].flatMap(([, label = '', separator = '', said = '']): IdCandidate[] => {
    const value = namedId(said.replace(/[.)]+$/, ''));
    // A trace with its span is a pattern.
    if (value === '' || value.search(TRACE) !== -1 || (separator === '' && !isCode(value))) return [];
    return [{ as: idNamed(label.replace(/\s/g, '_')) ?? 'tag', value }];
  });
}

function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

function isUrl(text: string): boolean {
  return URL_ALONE.test(text);
}

/** Returns a text without the punctuation around it. */
function unwrapped(text: string): string {
  const bare = text.replace(OPENING, '');
  const closing = /[([{]/.test(bare) ? CLOSING : CLOSING + CLOSING_BRACKETS;
  let end = bare.length;
  while (end > 0 && closing.includes(bare.charAt(end - 1))) end -= 1;
  return bare.slice(0, end);
}

/** Returns a URL, and the page of it that a server may know: without `www.` and without a slash at the end. */
function urlsOf(url: string): readonly IdCandidate[] {
  if (url === '') return [];
  const page = url.replace(/^(https?:\/\/)?www\./i, '$1').replace(/(?<=[^/])\/(?=[?#]|$)/, '');
  return page === '' || page === url
    ? [{ as: 'url', value: url }]
    : [
        { as: 'url', value: url },
        { as: 'url', value: page },
      ];
}

function patterns(text: string): readonly IdCandidate[] {
  const all = (pattern: RegExp, ...kinds: readonly IdKind[]): readonly IdCandidate[] =>
    [...text.matchAll(pattern)].flatMap(([match, ...parts]) => {
      const value = parts.find((part) => part !== undefined) ?? match;
      return kinds.map((as) => ({ as, value }));
    });
  return [
    ...all(TRACE, 'trace_id'),
    ...all(HEX, 'trace_id', 'request_id'),
    ...all(UUID, 'request_id'),
    ...all(AMAZON, 'request_id'),
    ...all(RAY, 'request_id'),
  ];
}

/** Of a sentence only whole words count: `127.0.0.1` of `127.0.0.1:5432` is that of other errors, too. */
function wordIds(text: string): readonly IdCandidate[] {
  const parts = text.split(/\s+/);
  const emails = parts.flatMap((part) => part.split(BETWEEN).map(bareWord)).filter(isEmail);
  const urls = parts
    .map((part) => unwrapped(URL_WITHIN.exec(part)?.[0] ?? part))
    .filter((url) => isUrl(url) && !url.startsWith('/'));
  const words = parts.map(bareWord).filter((word) => !URL_WITHIN.test(word) && !isUrl(word));
  const codes = parts.length === 1 ? words.flatMap(codesIn) : words.filter(isCode);
  return [
    ...emails.map((value) => ({ as: 'user', value }) as const),
    ...urls.flatMap(urlsOf),
    ...codes
      .filter((word) => !isEmail(word) && !NO_CODE.test(word))
      .map((value) => ({ as: 'tag', value }) as const),
  ];
}

/** A code alone may be the name of a user, a release or a server; one of 128 bits is mostly that of a user. */
function nameIds(text: string, certain: readonly IdCandidate[]): readonly IdCandidate[] {
  const value = unwrapped(text);
  if (!isCode(value) || !NAME.test(value) || DIGEST.test(value)) return [];
  if (certain.length === 0) return NAMES.map((as) => ({ as, value }));
  return certain.some((id) => id.as === 'request_id' && id.value === value) ? [{ as: 'user', value }] : [];
}

function distinct(candidates: readonly IdCandidate[]): readonly IdCandidate[] {
  const found = new Map(candidates.map((candidate) => [`${candidate.as} ${candidate.value}`, candidate]));
  return [...found.values()].slice(0, MAX_CANDIDATES);
}
