import { MAX_VALUES } from '../../scrub/scrub-event.ts';
import { type Fields, isFields } from '../../digest/fields.ts';

/** Largest event that is parsed: four times what upstreams take. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;
/** SDKs cut at depth 3 to 10; deeper than this is made to exhaust the stack of whoever walks it (faults.md S5). */
const MAX_JSON_DEPTH = 100;

/** Invalid UTF-8 becomes U+FFFD: the error stays findable. */
const utf8 = new TextDecoder();

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;

/**
 * Values that may still be built out of what somebody posted. `{}` takes 3 bytes in a list and 64 in memory: by its
 * bytes alone a small envelope, packed or with many items, fills the heap of the thread that reads it (faults.md S5).
 */
export interface ValueRoom {
  values: number;
}

/** Room for one envelope, whose items are in memory together: SDKs put one event into each. */
export function newValueRoom(): ValueRoom {
  return { values: MAX_VALUES };
}

/** Parses an object out of bytes somebody posted; undefined when it is none, too large, too deep or of too much. */
export function parseBounded(bytes: Uint8Array, room: ValueRoom = newValueRoom()): Fields | undefined {
  if (bytes.byteLength > MAX_JSON_BYTES || !fits(bytes, room)) return undefined;
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Counts brackets and commas before anything is built from them. Only what fits takes up room. */
function fits(bytes: Uint8Array, room: ValueRoom): boolean {
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
    if (values > room.values) return false;
  }
  room.values -= values;
  return true;
}
