import { newEventId } from '../envelope/event-id.ts';
import { findText, spansObject } from '../envelope/header-line.ts';
import { MAX_EVENT_BYTES } from '../envelope/item-limits.ts';
import { eventIdIn } from '../envelope/payload-event-id.ts';
import { writeEnvelope, type WrittenItem } from '../envelope/write-envelope.ts';
import { BodyBuffer, type ReadBody, REFUSALS } from './body-buffer.ts';
import type { Reservation } from './body-memory.ts';
import { acceptConverted, type Upload } from './converted-body.ts';
import type { Intake } from './intake.ts';
import { type BodyLimits, inflateInto, readBody } from './read-body.ts';
import type { TunnelResponse } from './response.ts';

/** The item of an event by the event's `type`, as in Relay (`ItemType::from_event_type`); of all others it is `event`. */
const ITEM_TYPES: ReadonlyMap<string, WrittenItem['type']> = new Map([
  ['transaction', 'transaction'],
  ['feedback', 'feedback'],
  ['csp', 'security'],
  ['hpkp', 'security'],
  ['expectct', 'security'],
  ['expectstaple', 'security'],
]);

/**
 * Accepts a single event on `/api/<project>/store/`, the format before envelopes (sentry-python 1 still sends it):
 * JSON, or zlib in base64 as raven wrote it.
 *
 * The limit of an event applies to the body and to the inflated event: 27 KB of zlib can hold 20 MiB. The bytes of the
 * event become the payload unchanged. Only their first and last byte, the event id and the type are read: the sinks read
 * payloads, in another thread.
 */
export async function acceptStoreBody(
  upload: Upload,
  intake: Intake,
  limits: BodyLimits,
): Promise<TunnelResponse> {
  const project = intake.authenticate(upload.meta.credentials);
  if ('outcome' in project) return project;
  const { request, meta, reservation } = upload;
  const maxBytes = Math.min(limits.maxBytes, MAX_EVENT_BYTES);
  const body = await readBody(request, { ...limits, maxBytes }, reservation);
  if (body.outcome !== 'ok') return body;
  const event = spansObject(body.bytes) ? body : await decodeRaven(body.bytes, maxBytes, reservation);
  if (event.outcome === 'ok' && spansObject(event.bytes)) {
    const envelope = envelopeOfEvent(event.bytes, project.given);
    return acceptConverted({ upload, intake, project }, envelope);
  }
  return event.outcome === 'ok' || event.outcome === 'malformed'
    ? intake.rejectMalformed(body.bytes, meta, project, 'body is not an event')
    : { ...event, project };
}

/** @param dsn with the key of the request: it tells the sender. */
function envelopeOfEvent(event: Buffer, dsn: string): Buffer {
  const type = ITEM_TYPES.get(findText(event, 'type') ?? '') ?? 'event';
  return writeEnvelope(dsn, eventIdIn(event) ?? newEventId(), [{ type, payload: event }]);
}

/** Decodes zlib in base64. */
async function decodeRaven(body: Buffer, maxBytes: number, reservation: Reservation): Promise<ReadBody> {
  // Base64 decodes to three quarters of its length; the body itself stays in memory, for a dead letter.
  const admission = await reservation.grow(Math.ceil((body.length * 3) / 4));
  if (admission !== 'ok') return REFUSALS[admission];
  const zlib = Buffer.from(body.toString('latin1'), 'base64');
  return inflateInto(new BodyBuffer(maxBytes, reservation), zlib);
}
