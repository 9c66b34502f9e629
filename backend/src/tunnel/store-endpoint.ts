import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { parseEventId } from '../envelope/envelope-header.ts';
import { findText } from '../envelope/header-line.ts';

/** An envelope made of something else, or why that could not be done. */
export type Converted =
  | { readonly outcome: 'ok'; readonly envelope: Buffer }
  | { readonly outcome: 'malformed'; readonly detail: string };

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

const inflateAsync = promisify(inflate);

/**
 * Makes an envelope of the body of `/api/<project>/store/`, with which SDKs reported one event before there were
 * envelopes (sentry-python 1 still does): JSON, or zlib in base64 as raven wrote it.
 *
 * The event's bytes become the payload as they are. Of the JSON only the first and last byte and the event id are
 * looked at: what else is in it is the sinks' business, as with every envelope.
 *
 * @param maxBytes of the event, decoded.
 */
export async function envelopeOfStoreBody(
  body: Buffer,
  project: string,
  maxBytes: number,
): Promise<Converted> {
  const event = isObject(body) ? body : await decodeRaven(body, maxBytes);
  if (event === undefined || !isObject(event))
    return { outcome: 'malformed', detail: 'body is not an event' };
  const eventId = parseEventId(findText(event, 'event_id')) ?? newEventId();
  return { outcome: 'ok', envelope: writeEnvelope(project, eventId, [{ type: 'event', payload: event }]) };
}

/** zlib in base64; undefined where it is not, or is more than `maxBytes`. */
async function decodeRaven(body: Buffer, maxBytes: number): Promise<Buffer | undefined> {
  try {
    return await inflateAsync(Buffer.from(body.toString('latin1'), 'base64'), { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/** Whether the bytes begin and end as a JSON object does. */
function isObject(bytes: Buffer): boolean {
  let start = 0;
  let end = bytes.length - 1;
  while (start < end && isBlank(bytes[start])) start++;
  while (end > start && isBlank(bytes[end])) end--;
  return bytes[start] === OPEN_BRACE && bytes[end] === CLOSE_BRACE && end > start;
}

function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && byte <= SPACE;
}

/** An item of an envelope made here. */
export interface WrittenItem {
  readonly type: 'event' | 'raw_security' | 'nel';
  readonly payload: Buffer;
  /** Of the application whose page sent it, as far as it is known and the payload does not say. */
  readonly sentry_release?: string;
  readonly sentry_environment?: string;
}

export function newEventId(): string {
  return randomUUID().replaceAll('-', '');
}

/** An envelope of these items, for what came as something else. */
export function writeEnvelope(project: string, eventId: string, items: readonly WrittenItem[]): Buffer {
  const header = Buffer.from(JSON.stringify({ event_id: eventId, dsn: project }));
  const parts = items.flatMap(({ type, payload, ...names }) => {
    const item = { type, length: payload.length, content_type: 'application/json', ...names };
    return [Buffer.from(`\n${JSON.stringify(item)}\n`), payload];
  });
  return Buffer.concat([header, ...parts]);
}
