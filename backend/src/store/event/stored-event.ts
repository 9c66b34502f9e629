import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Fields, fieldsAt, isFields } from '../../digest/fields.ts';
import { idNamed } from '../../digest/id-text.ts';
import { parseStoredJson } from '../../scrub/bounded-json.ts';
import { exceptionsOf } from '../reading/exceptions.ts';
import { headersOf } from '../reading/pairs.ts';

/** The body of an event as it is stored: scrubbed, its stack mapped. */
export interface StoredEvent {
  readonly event: Fields;
  /** Why a browser's stack stayed minified, shown in the console; null where it did not. */
  readonly unmapped: string | null;
  /** True for a repeat above the limit of its hour: only what its title needs, tags and the ids of its trace and request are stored. */
  readonly isBrief: boolean;
}

/** First byte of a payload: the format of the rest. Stored: a value never gets a new meaning. */
const PLAIN_JSON = 0;
const DEFLATED_JSON = 1;

/** Below this size deflate saves less than it costs. At 3 KiB it saves two thirds in 13–20 µs; zstd takes twice that. */
const DEFLATE_FROM_BYTES = 512;
/**
 * Takes half the time of zlib's defaults at 3 KiB, with a 2 % larger result: the defaults initialise 268 KB of tables for
 * each event. A larger event needs a window of 32 KiB, because source lines repeat.
 */
const SMALL_BYTES = 8 * 1024;
const DEFLATE_SMALL = { level: 1, windowBits: 12, memLevel: 5, chunkSize: 4 * 1024 };
const DEFLATE_LARGE = { level: 3 };
/** An event of 4 MiB with the source lines of its whole stack. */
const MAX_INFLATED_BYTES = 16 * 1024 * 1024;

export function encodeStoredEvent(stored: StoredEvent): Uint8Array {
  const json = Buffer.from(JSON.stringify(stored));
  if (json.byteLength < DEFLATE_FROM_BYTES) return Buffer.concat([Uint8Array.of(PLAIN_JSON), json]);
  const options = json.byteLength < SMALL_BYTES ? DEFLATE_SMALL : DEFLATE_LARGE;
  return Buffer.concat([Uint8Array.of(DEFLATED_JSON), deflateRawSync(json, options)]);
}

/** Decodes a payload. @throws where the bytes are not one: the database is damaged or newer than this version. */
export function decodeStoredEvent(payload: Uint8Array): StoredEvent {
  const stored: unknown = parseStoredJson(jsonOf(payload).toString());
  if (!isFields(stored) || !isFields(stored['event'])) throw new Error('stored event has no body');
  const { unmapped } = stored;
  return {
    event: stored['event'],
    unmapped: typeof unmapped === 'string' ? unmapped : null,
    isBrief: stored['isBrief'] === true,
  };
}

/** Reduces an event to the parts of a brief event. */
export function briefOf({ event, unmapped }: StoredEvent): StoredEvent {
  const values = exceptionsOf(event).map(({ type, value, mechanism }) => ({ type, value, mechanism }));
  const { platform, level, message, logentry, tags } = event;
  return {
    event: { platform, level, exception: { values }, message, logentry, tags, ...requestOf(event) },
    unmapped,
    isBrief: true,
  };
}

/** Returns the members that say by which request an event is found; most events have none. */
function requestOf(event: Fields): Fields {
  const { trace_id } = fieldsAt(event, 'contexts', 'trace');
  const headers = headersOf(event).filter(([name]) => idNamed(name) !== null);
  return {
    ...(trace_id !== undefined && { contexts: { trace: { trace_id } } }),
    ...(headers.length > 0 && { request: { headers } }),
  };
}

function jsonOf(payload: Uint8Array): Buffer {
  const body = Buffer.from(payload.buffer, payload.byteOffset + 1, payload.byteLength - 1);
  if (payload[0] === PLAIN_JSON) return body;
  if (payload[0] === DEFLATED_JSON) return inflateRawSync(body, { maxOutputLength: MAX_INFLATED_BYTES });
  throw new Error(`stored event has unknown format ${payload[0]}`);
}
