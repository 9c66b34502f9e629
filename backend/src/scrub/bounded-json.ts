import { parseExact } from './exact-json.ts';
import { MAX_VALUES } from './scrub-event.ts';
import { type Fields, isFields } from '../digest/fields.ts';

/** Largest event that is parsed: four times the limit of upstreams. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;
/** SDKs cut at depth 3 to 10. A deeper event is made to exhaust the stack of code that walks it. */
const MAX_JSON_DEPTH = 100;

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

/** Parses an object from posted bytes; undefined where it is not one, too large, too deep or has too many values. */
export function parseBounded(bytes: Uint8Array, budget: ValueBudget = newValueBudget()): Fields | undefined {
  if (bytes.byteLength > MAX_JSON_BYTES || !fits(bytes, budget)) return undefined;
  try {
    const value: unknown = parseExact(utf8.decode(bytes));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
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
