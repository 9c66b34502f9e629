/*
 * The wire format of Sentry envelopes: header line, items, DSN, rate limits.
 *
 * Everything in this folder is pure and works on the bytes as they came. It must never decode, trim or re-serialise
 * what passes through: of a whole envelope only three values of the header line may be written (rewrite-header.ts).
 */
import { asBuffer, endOfLine } from './bytes.ts';
import { readHeaderLine } from './header-line.ts';

/** Longest header line, bytes without its newline (protocol E10); the longest of a real SDK was 1,055. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Longest `sdk`, characters; it goes to the upstream as `sentry_client` and into the log. */
const MAX_SDK_LENGTH = 128;

/** What Errata reads of the header line; whatever else it holds passes through unread (protocol E7). */
export interface EnvelopeHeader {
  /** As written, not yet parsed; null where there is none. */
  readonly dsn: string | null;
  /** 32 lower-case hex digits. */
  readonly eventId: string | null;
  /** As written, and so not surely a date. */
  readonly sentAt: string | null;
  /** `name/version` of the sender's SDK, only word characters and `. + @ / -`. */
  readonly sdk: string | null;
}

export type HeaderReading =
  | {
      readonly outcome: 'ok';
      readonly header: EnvelopeHeader;
      /** View of the line in the body, without its newline. */
      readonly line: Uint8Array;
      /** Offset of the first byte after the header line. */
      readonly itemsStart: number;
    }
  | { readonly outcome: 'malformed'; readonly detail: string };

/**
 * Reads the header line of an envelope.
 *
 * Malformed, never thrown: no body, a line over 16 KiB, a line that is no JSON object or has a key twice
 * (header-line.ts), a `dsn` or `sent_at` that is no string, an `event_id` that is no UUID with or without dashes.
 * A null is the same as nothing. Whether a DSN must be there is for the caller to say: SDKs without a tunnel leave
 * it out (A2). Protocol E1, E8–E14.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/envelopes/
 */
export function readEnvelopeHeader(body: Uint8Array): HeaderReading {
  if (body.length === 0) return malformed('empty request body');
  const bytes = asBuffer(body);
  // Looks no further than the limit, so that a body without a newline costs no more than one with.
  const line = bytes.subarray(0, endOfLine(bytes.subarray(0, MAX_HEADER_BYTES + 1), 0));
  if (line.length > MAX_HEADER_BYTES) return malformed('envelope header is longer than 16 KiB');
  const read = readHeaderLine(line);
  if (read.outcome === 'malformed') return malformed(`envelope header ${read.detail}`);
  const { dsn = null, event_id: eventId = null, sent_at: sentAt = null, sdk } = read.value;
  if (!isStringOrNull(dsn)) return malformed('dsn is not a string');
  if (!isStringOrNull(sentAt)) return malformed('sent_at is not a string');
  const id = eventId === null ? null : parseEventId(eventId);
  if (id === undefined) return malformed('event_id is not a UUID');
  const header = { dsn, eventId: id, sentAt, sdk: sdkName(sdk) };
  return { outcome: 'ok', header, line, itemsStart: Math.min(line.length + 1, body.length) };
}

const EVENT_ID = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** An event id in its one stored form, 32 lower-case hex digits, or undefined for anything else (protocol E14). */
export function parseEventId(value: unknown): string | undefined {
  if (typeof value !== 'string' || !EVENT_ID.test(value)) return undefined;
  return value.replaceAll('-', '').toLowerCase();
}

/** Other characters become `_`: the name goes into a header for the upstream and into the log (S12, S22). */
function sdkName(sdk: unknown): string | null {
  if (typeof sdk !== 'object' || sdk === null || !('name' in sdk) || !('version' in sdk)) return null;
  const { name, version } = sdk;
  if (typeof name !== 'string' || typeof version !== 'string') return null;
  return `${name}/${version}`.slice(0, MAX_SDK_LENGTH).replace(/[^\w.+@/-]/g, '_');
}

function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function malformed(detail: string): HeaderReading {
  return { outcome: 'malformed', detail };
}
