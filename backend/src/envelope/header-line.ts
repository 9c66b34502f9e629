/** Maximum nesting of objects and arrays in a header line (protocol E10); the deepest real header has 2 levels. */
const MAX_DEPTH = 32;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/** Offsets of one top-level member in its line; key and value include their quotes, ends are exclusive. */
export interface Member {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** A header line as JSON, and the offsets of its top-level members. */
export type HeaderLine =
  | {
      readonly outcome: 'ok';
      readonly value: Readonly<Record<string, unknown>>;
      readonly members: readonly Member[];
    }
  | { readonly outcome: 'malformed'; readonly detail: string };

/** Throws on invalid UTF-8, because a header must be UTF-8 (E13). */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the header line of an envelope or of an item: one JSON object that fills the whole line.
 *
 * Returns `malformed`, and never throws, for bytes before `{` or after `}` (a byte order mark, a `\r`, blanks),
 * invalid UTF-8 or JSON, more than 32 levels, and a duplicate key at the top level, in any escaping. Parsers disagree
 * on which of two values counts, so one DSN could be checked and another one used (E11, E12).
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/envelopes/
 */
export function readHeaderLine(line: Buffer): HeaderLine {
  if (line.at(0) !== OPEN_BRACE || line.at(-1) !== CLOSE_BRACE) return malformed('is not a JSON object');
  const value = parseObject(line);
  if (value === undefined) return malformed('is not valid JSON');
  const members = findMembers(line);
  if (members === undefined) return malformed('is nested too deeply');
  if (members.length !== Object.keys(value).length) return malformed('has a key twice');
  return { outcome: 'ok', value, members };
}

/** Returns the member with this key, or undefined; an escaped key is the same key (E12). */
export function findMember(line: Buffer, members: readonly Member[], key: string): Member | undefined {
  return members.find(({ keyStart, keyEnd }) => {
    const raw = line.toString('latin1', keyStart + 1, keyEnd - 1);
    return raw === key || (raw.includes('\\') && JSON.parse(`"${raw}"`) === key);
  });
}

/**
 * Returns the members of the outermost object, or undefined if the line has more than 32 levels.
 *
 * The line must be valid JSON; for any other line the offsets are meaningless, but the function still ends.
 */
export function findMembers(line: Buffer): readonly Member[] | undefined {
  const members: Member[] = [];
  for (let member = nextMember(line, 1); member !== undefined; member = nextMember(line, member.valueEnd)) {
    if (member === 'too_deep') return undefined;
    members.push(member);
  }
  return members;
}

/**
 * Returns the string at a key of the outermost object, undecoded. Scans the bytes once and copies only the result, so
 * the object may be large. Returns undefined without such a string, and if the bytes before it are no JSON or nest
 * too deeply.
 */
export function findText(json: Buffer, key: string): string | undefined {
  const name = Buffer.from(JSON.stringify(key));
  for (let member = nextMember(json, 1); member !== undefined; member = nextMember(json, member.valueEnd)) {
    if (member === 'too_deep') return undefined;
    const { keyStart, keyEnd, valueStart, valueEnd } = member;
    const isThis = name.equals(json.subarray(keyStart, keyEnd));
    if (isThis && json[valueStart] === QUOTE) return json.toString('utf8', valueStart + 1, valueEnd - 1);
  }
  return undefined;
}

/** Returns whether the bytes start and end like a JSON object, blanks around it ignored; nothing between is read. */
export function spansObject(json: Buffer): boolean {
  const start = skipBlanks(json, 0);
  let end = json.length - 1;
  while (end > start && isBlank(json[end])) end--;
  return json[start] === OPEN_BRACE && json[end] === CLOSE_BRACE && end > start;
}

/** Returns the first top-level member that starts at or after `from`. */
function nextMember(line: Buffer, from: number): Member | 'too_deep' | undefined {
  const keyStart = line.indexOf(QUOTE, from);
  if (keyStart < 0) return undefined;
  const keyEnd = endOfString(line, keyStart);
  const colon = line.indexOf(COLON, keyEnd);
  if (colon < 0) return undefined;
  const valueStart = skipBlanks(line, colon + 1);
  const valueEnd = endOfValue(line, valueStart);
  return valueEnd === undefined ? 'too_deep' : { keyStart, keyEnd, valueStart, valueEnd };
}

/** Returns the end of a top-level value, or undefined if it is nested too deeply. */
function endOfValue(line: Buffer, start: number): number | undefined {
  const first = line[start];
  if (first === QUOTE) return endOfString(line, start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfNested(line, start);
  let at = start;
  while (at < line.length && line[at] !== COMMA && line[at] !== CLOSE_BRACE && !isBlank(line[at])) at++;
  return at;
}

function endOfNested(line: Buffer, start: number): number | undefined {
  // The header object is the first level.
  let depth = 1;
  for (let at = start; at < line.length; at++) {
    const byte = line[at];
    if (byte === QUOTE) at = endOfString(line, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
    if (depth > MAX_DEPTH) return undefined;
    if (depth === 1) return at + 1;
  }
  return line.length;
}

function endOfString(line: Buffer, open: number): number {
  let at = open + 1;
  while (at < line.length && line[at] !== QUOTE) at += line[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, line.length);
}

function skipBlanks(line: Buffer, from: number): number {
  let at = from;
  while (isBlank(line[at])) at++;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && byte <= SPACE;
}

function parseObject(line: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    // The first byte is `{`, so the result is an object. JSON.parse makes a plain member of a `__proto__` key.
    const value: Readonly<Record<string, unknown>> = JSON.parse(utf8.decode(line));
    return value;
  } catch {
    return undefined;
  }
}

function malformed(detail: string): HeaderLine {
  return { outcome: 'malformed', detail };
}
