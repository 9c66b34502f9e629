import { parseExact } from './exact-json.ts';
import { type Fields, isFields } from '../digest/fields.ts';

/** Largest item that is parsed: four times the limit of upstreams. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;
/** SDKs cut at depth 3 to 10. A deeper event is made to exhaust the stack of code that walks it. */
const MAX_JSON_DEPTH = 100;
/** Maximum number of objects, arrays, strings and numbers in one event; a large real one has about 10,000. */
export const MAX_VALUES = 100_000;

/** Replaces invalid UTF-8 by U+FFFD: the error can still be found. */
const utf8 = new TextDecoder();

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;

/**
 * Values that may still be parsed from posted bytes. `{}` takes 3 bytes in a list and 64 in memory: with a limit of bytes
 * alone, a small envelope, compressed or with many items, fills the heap of the thread that reads it.
 */
export interface ValueBudget {
  values: number;
}

/** Makes the budget of one envelope, whose items are in memory together: SDKs put one event into each. */
export function newValueBudget(): ValueBudget {
  return { values: MAX_VALUES };
}

/** `unfit`: too large, too deep or too many values. It was not parsed, and may be no JSON either. */
export type BoundedJson =
  | { readonly outcome: 'parsed'; readonly value: unknown }
  | { readonly outcome: 'unfit' }
  | { readonly outcome: 'not_json' };

/**
 * Parses JSON of strangers within limits; never throws. No other function parses it: an unlimited parser beside this one let
 * 18 KB of gzip end the process (threat S3).
 *
 * @param json bytes; or a text that was itself parsed within limits
 */
export function parseBoundedJson(
  json: Uint8Array | string,
  budget: ValueBudget = newValueBudget(),
): BoundedJson {
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  if (bytes.byteLength > MAX_JSON_BYTES || !fits(bytes, budget)) return { outcome: 'unfit' };
  try {
    return { outcome: 'parsed', value: parseExact(typeof json === 'string' ? json : utf8.decode(json)) };
  } catch {
    return { outcome: 'not_json' };
  }
}

/** Parses an object from posted bytes; undefined where it is not one, too large, too deep or has too many values. */
export function parseBounded(bytes: Uint8Array, budget: ValueBudget = newValueBudget()): Fields | undefined {
  const json = parseBoundedJson(bytes, budget);
  return json.outcome === 'parsed' && isFields(json.value) ? json.value : undefined;
}

/**
 * Parses an event that the store wrote itself. It was within the limits when it was posted; mapped source lines and longer
 * spellings of its texts may exceed them.
 *
 * @throws SyntaxError
 */
export function parseStoredJson(json: string): unknown {
  return parseExact(json);
}

/** Counts brackets and commas before parsing. Only a document within the limits uses the budget. */
function fits(bytes: Uint8Array, budget: ValueBudget): boolean {
  let depth = 0;
  let values = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      values += 1;
      if (depth > MAX_JSON_DEPTH) return false;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    if (values > budget.values) return false;
  }
  budget.values -= values;
  return true;
}
