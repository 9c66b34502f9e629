import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Fields, fieldsAt, isFields, objectsIn } from '../../digest/fields.ts';

/** The body of an event as it is kept: scrubbed, its stack mapped. */
export interface StoredEvent {
  readonly event: Fields;
  /** Why a browser's stack stayed minified, in words for people; null when it did not. */
  readonly unmapped: string | null;
  /** One of very many repeats, of which only the message and the tags were kept. */
  readonly isBrief: boolean;
}

/** First byte of a payload: how the rest is written. Kept in the database: never give one a new meaning. */
const PLAIN_JSON = 0;
const DEFLATED_JSON = 1;

/** Below it deflate saves less than it costs. At 3 KiB it saves two thirds in 13–20 µs; zstd takes twice that. */
const DEFLATE_FROM_BYTES = 512;
/**
 * Half the time of zlib's defaults at 3 KiB, and 2 % larger: what they cost is the setting up of 268 KB of tables for
 * each event. A larger event takes 32 KiB to look back in, as source lines repeat.
 */
const SMALL_BYTES = 8 * 1024;
const DEFLATE_SMALL = { level: 1, windowBits: 12, memLevel: 5, chunkSize: 4 * 1024 };
const DEFLATE_LARGE = { level: 3 };
/** An event of 4 MiB, with all its stack's source lines beside it. */
const MAX_INFLATED_BYTES = 16 * 1024 * 1024;

export function encodeStoredEvent(stored: StoredEvent): Uint8Array {
  const json = Buffer.from(JSON.stringify(stored));
  if (json.byteLength < DEFLATE_FROM_BYTES) return Buffer.concat([Uint8Array.of(PLAIN_JSON), json]);
  const options = json.byteLength < SMALL_BYTES ? DEFLATE_SMALL : DEFLATE_LARGE;
  return Buffer.concat([Uint8Array.of(DEFLATED_JSON), deflateRawSync(json, options)]);
}

/** @throws when the bytes are no payload: the database is damaged or newer than this version. */
export function decodeStoredEvent(payload: Uint8Array): StoredEvent {
  const stored: unknown = JSON.parse(jsonOf(payload).toString());
  if (!isFields(stored) || !isFields(stored['event'])) throw new Error('stored event has no body');
  const { unmapped } = stored;
  return {
    event: stored['event'],
    unmapped: typeof unmapped === 'string' ? unmapped : null,
    isBrief: stored['isBrief'] === true,
  };
}

/** What is kept of a repeat whose like is kept in full already. */
export function briefOf({ event, unmapped }: StoredEvent): StoredEvent {
  const values = objectsIn(fieldsAt(event, 'exception')['values']).map(({ type, value }) => ({
    type,
    value,
  }));
  const { message, logentry, tags } = event;
  return { event: { exception: { values }, message, logentry, tags }, unmapped, isBrief: true };
}

function jsonOf(payload: Uint8Array): Buffer {
  const body = Buffer.from(payload.buffer, payload.byteOffset + 1, payload.byteLength - 1);
  if (payload[0] === PLAIN_JSON) return body;
  if (payload[0] === DEFLATED_JSON) return inflateRawSync(body, { maxOutputLength: MAX_INFLATED_BYTES });
  throw new Error(`stored event has unknown format ${payload[0]}`);
}
