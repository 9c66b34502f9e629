import { hash } from 'node:crypto';
import { isForStore } from '../../envelope/envelope-class.ts';
import { scanItems } from '../../envelope/items.ts';

import { scrubEvent } from '../../scrub/scrub-event.ts';
import type { StoreEnvelope } from '../store-envelope.ts';
import { parseBounded } from './bounded-json.ts';
import { eventDigest, relatedDigest } from './event-digest.ts';
import { factsOf, kindOf, occurredMs } from './event-facts.ts';
import { eventIdOf, readFeedback } from './feedback.ts';
import { type Fields, fieldsAt } from './fields.ts';
import { type EventMapper, mapEvent, onlyMappedFrames } from './map-event.ts';
import type { NewEvent, NewFeedback } from './new-rows.ts';
import { type OwnApplication, withOwnFiles } from './own-files.ts';

export interface ReadOptions {
  readonly maps: EventMapper;
  readonly own: OwnApplication;
}

/** What an envelope holds for the store; `malformed` counts the items that could not be read. */
export interface ReadEnvelope {
  readonly events: readonly NewEvent[];
  readonly feedback: readonly NewFeedback[];
  readonly malformed: number;
}

/** Reads an envelope's errors and feedback: parsed within limits, mapped, digested, then scrubbed. */
export async function readEnvelope(envelope: StoreEnvelope, options: ReadOptions): Promise<ReadEnvelope> {
  const scan = scanItems(envelope.items, 0);
  if (scan.outcome !== 'ok') return { events: [], feedback: [], malformed: 1 };
  const events: NewEvent[] = [];
  const feedback: NewFeedback[] = [];
  let malformed = 0;
  for (const { type, payloadStart, payloadEnd } of scan.items) {
    if (!isForStore(type)) continue;
    const bytes = envelope.items.subarray(payloadStart, payloadEnd);
    const body = parseBounded(bytes);
    const isFirst = events.length + feedback.length === 0;
    const id = idOf(isFirst ? envelope.eventId : null, body, bytes);
    const said = type === 'event' ? undefined : feedbackOf(envelope, id, type, body);
    if (type === 'event' && body !== undefined) events.push(await readEvent(envelope, id, body, options));
    else if (said !== undefined) feedback.push(said);
    else malformed += 1;
  }
  return { events, feedback, malformed };
}

function feedbackOf(
  { project, receivedAtMs }: StoreEnvelope,
  feedbackId: string,
  type: string,
  body: Fields | undefined,
): NewFeedback | undefined {
  const text = body === undefined ? undefined : readFeedback(type, fieldsAt(scrubEvent(body)));
  return text === undefined ? undefined : { ...text, project, feedbackId, receivedMs: receivedAtMs };
}

/** The envelope's id wins over the item's. Without either the bytes are the identity: a repeat has the same. */
function idOf(envelopeId: string | null, body: Fields | undefined, bytes: Uint8Array): string {
  return eventIdOf(envelopeId) ?? eventIdOf(body?.['event_id']) ?? hash('sha256', bytes, 'hex').slice(0, 32);
}

async function readEvent(
  envelope: StoreEnvelope,
  eventId: string,
  body: Fields,
  { maps, own }: ReadOptions,
): Promise<NewEvent> {
  const { source, project, receivedAtMs: receivedMs } = envelope;
  const kind = kindOf(body);
  const isOwn = source === 'own';
  const { event, isMapped, unmapped } =
    kind === 'browser' ? await mapEvent(body, maps) : { event: body, isMapped: true, unmapped: null };
  const forDigest = kind === 'browser' ? onlyMappedFrames(event) : event;
  const digest = eventDigest(forDigest, { source, root: isOwn ? own.root : '', useFrames: isMapped });
  const kept = fieldsAt(scrubEvent(isOwn ? await withOwnFiles(event, own) : event));
  return {
    ...factsOf(kept, kind, envelope.userAgent),
    project,
    eventId,
    kind,
    receivedMs,
    digestKey: digest.key,
    digest: digest.shown,
    occurredMs: occurredMs(body, receivedMs),
    related: kind === 'browser' ? relatedDigest(body) : null,
    stored: { event: kept, unmapped, isBrief: false },
  };
}
