import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { newEventId } from '../envelope/event-id.ts';
import { findText, spansObject } from '../envelope/header-line.ts';
import { eventIdIn } from '../envelope/payload-event-id.ts';
import {
  acceptConverted,
  type Converted,
  type Upload,
  writeEnvelope,
  type WrittenItem,
} from './converted-body.ts';
import type { Intake } from './intake.ts';
import { type BodyLimits, readBody } from './read-body.ts';
import type { TunnelResponse } from './response.ts';

const inflateAsync = promisify(inflate);

/** The item of an event by the event's `type`, as in Relay (`ItemType::from_event_type`); of all others it is `event`. */
const ITEM_TYPES: ReadonlyMap<string, WrittenItem['type']> = new Map([
  ['transaction', 'transaction'],
  ['feedback', 'feedback'],
  ['csp', 'security'],
  ['hpkp', 'security'],
  ['expectct', 'security'],
  ['expectstaple', 'security'],
]);

/** Accepts a single event on `/api/<project>/store/`, from an SDK whose DSN has this host. */
export async function acceptStoreBody(
  upload: Upload,
  intake: Intake,
  limits: BodyLimits,
): Promise<TunnelResponse> {
  const project = intake.authenticate(upload.meta.credentials);
  if ('outcome' in project) return project;
  const body = await readBody(upload.request, limits, upload.reservation);
  if (body.outcome !== 'ok') return body;
  const converted = await envelopeOfEvent(body.bytes, project.project, limits.maxBytes);
  return acceptConverted({ upload, intake, project, body: body.bytes }, converted);
}

/**
 * Makes an envelope of one event, the format before envelopes (sentry-python 1 still sends it): JSON, or zlib in
 * base64 as raven wrote it.
 *
 * The bytes of the event become the payload unchanged. Only their first and last byte, the event id and the type are
 * read: the sinks read payloads, in another thread.
 *
 * @param maxBytes maximum size of the decoded event.
 */
async function envelopeOfEvent(body: Buffer, project: string, maxBytes: number): Promise<Converted> {
  const event = spansObject(body) ? body : await decodeRaven(body, maxBytes);
  if (event === undefined || !spansObject(event))
    return { outcome: 'malformed', detail: 'body is not an event' };
  const eventId = eventIdIn(event) ?? newEventId();
  const type = ITEM_TYPES.get(findText(event, 'type') ?? '') ?? 'event';
  return { outcome: 'ok', envelope: writeEnvelope(project, eventId, [{ type, payload: event }]) };
}

/** Decodes zlib in base64. Returns undefined for anything else, and for more than `maxBytes`. */
async function decodeRaven(body: Buffer, maxBytes: number): Promise<Buffer | undefined> {
  try {
    return await inflateAsync(Buffer.from(body.toString('latin1'), 'base64'), { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}
