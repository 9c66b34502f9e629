/*
 * envelope/ reads and writes the wire format of Sentry: header line, items, DSN, rate limits.
 *
 * All of it is pure and works on the received bytes. It must never decode, trim or re-serialise an envelope that passes
 * through: only three values of the header line may be replaced (rewrite-header.ts).
 */
import { asBuffer, endOfLine } from './bytes.ts';
import { NIL_EVENT_ID } from './event-id.ts';
import { readHeaderLine } from './header-line.ts';

/** Maximum length of the header line, bytes without its newline (protocol E10); the longest of a real SDK was 1,055. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Maximum length of `sdk`, characters; it is sent to the upstream as `sentry_client` and written to the log. */
const MAX_SDK_LENGTH = 128;

/** The values of the header line that Errata reads; all others pass through unread (protocol E7). */
export interface EnvelopeHeader {
  /** As written, not parsed; null without one. */
  readonly dsn: string | null;
  /** 32 lower-case hex digits; null without one and for zeros, which are none. */
  readonly eventId: string | null;
  /** As written, so it may be no date. */
  readonly sentAt: string | null;
  /** `name/version` of the client's SDK, only word characters and `. + @ / -`. */
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
 * Returns `malformed`, and never throws, for an empty body, a line over 16 KiB, a line that is no JSON object or has
 * a duplicate key (header-line.ts), a `dsn` or `sent_at` that is no string, and an `event_id` that is no UUID with or
 * without dashes. A null means a missing value. The caller decides whether a DSN is required: SDKs without a tunnel
 * omit it (A2). Protocol E1, E8–E14.
 *
 * @see https://develop.sentry.dev/sdk/foundations/data-model/envelopes/
 */
export function readEnvelopeHeader(body: Uint8Array): HeaderReading {
  if (body.length === 0) return malformed('empty request body');
  const bytes = asBuffer(body);
  // The search ends at the limit, so that a large body without a newline costs no more than one with.
  const line = bytes.subarray(0, endOfLine(bytes.subarray(0, MAX_HEADER_BYTES + 1), 0));
  if (line.length > MAX_HEADER_BYTES) return malformed('envelope header is longer than 16 KiB');
  const read = readHeaderLine(line);
  if (read.outcome === 'malformed') return malformed(`envelope header ${read.detail}`);
  const { dsn = null, event_id: eventId = null, sent_at: sentAt = null, sdk } = read.value;
  if (!isStringOrNull(dsn)) return malformed('dsn is not a string');
  if (!isStringOrNull(sentAt)) return malformed('sent_at is not a string');
  const id = eventId === null ? null : parseEventId(eventId);
  if (id === undefined) return malformed('event_id is not a UUID');
  const header = { dsn, eventId: id === NIL_EVENT_ID ? null : id, sentAt, sdk: sdkName(sdk) };
  return { outcome: 'ok', header, line, itemsStart: Math.min(line.length + 1, body.length) };
}

const EVENT_ID = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/**
 * Returns an event id in its stored form, 32 lower-case hex digits, or undefined for any other value (protocol E14).
 */
export function parseEventId(value: unknown): string | undefined {
  if (typeof value !== 'string' || !EVENT_ID.test(value)) return undefined;
  return value.replaceAll('-', '').toLowerCase();
}

function sdkName(sdk: unknown): string | null {
  if (typeof sdk !== 'object' || sdk === null || !('name' in sdk) || !('version' in sdk)) return null;
  const { name, version } = sdk;
  if (typeof name !== 'string' || typeof version !== 'string') return null;
  return clientName(`${name}/${version}`);
}

/**
 * Returns the name of a client as it is stored. Replaces other characters by `_`, which stops header and log injection:
 * upstream header and log have it (threat S5).
 */
export function clientName(text: string): string {
  return text.slice(0, MAX_SDK_LENGTH).replace(/[^\w.+@/-]/g, '_');
}

function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function malformed(detail: string): HeaderReading {
  return { outcome: 'malformed', detail };
}
