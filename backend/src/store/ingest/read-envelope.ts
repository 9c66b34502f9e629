import { createHash, hash } from 'node:crypto';
import { eventIdOf } from '../../envelope/event-id.ts';
import { isReport } from '../../envelope/envelope-class.ts';
import { newScrubBudget, type ScrubBudget, scrubEvent } from '../../scrub/scrub-event.ts';
import type { StoreEnvelope, StoreItem } from '../event/store-envelope.ts';
import type { AlertOptions } from '../outbox/enqueue.ts';
import { newValueBudget, parseBounded, type ValueBudget } from '../../scrub/bounded-json.ts';
import { type BrowserReport, readReport } from '../event/browser-report.ts';
import { eventDigest, relatedDigest } from '../event/event-digest.ts';
import { asCrash } from '../event/event-facts.ts';
import { readFeedback } from '../event/feedback.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { type EventMapper, mapEvent } from '../event/map-event.ts';
import type { NewFeedback } from '../event/feedback.ts';
import { kindOf } from '../reading/kind.ts';
import { normalEvent } from '../reading/normal-event.ts';
import { withSdk } from '../reading/sdk.ts';
import { occurredMs } from '../reading/times.ts';
import type { ReadEvent } from './new-rows.ts';
import type { OwnApplication } from '../event/own-files.ts';

export interface ReadOptions {
  readonly maps: EventMapper;
  readonly own: OwnApplication;
  /** Set where alerts have a target. */
  readonly alerts?: AlertOptions | undefined;
  /** Identity of the spool that the envelopes come from. */
  readonly spool: number;
}

/** Options and limits for one envelope. */
interface BoundedOptions extends ReadOptions {
  readonly budget: ValueBudget;
  /** For its feedback. Events are scrubbed when they are written. */
  readonly scrub: ScrubBudget;
}

/** The event of a minidump that came without one, as Relay makes it; see asCrash. */
const OF_MINIDUMP: StoreItem = {
  type: 'event',
  payload: Buffer.from('{}'),
  release: null,
  environment: null,
};

/** The contents of an envelope for the store; `malformed` counts the unreadable items. */
export interface ReadEnvelope {
  readonly events: readonly ReadEvent[];
  readonly feedback: readonly NewFeedback[];
  readonly malformed: number;
}

/**
 * Reads an envelope's errors and feedback, then its browser reports: parsed within limits, mapped and digested. The
 * envelope's id and digest are those of the error where it contains one.
 */
export async function readEnvelope(envelope: StoreEnvelope, options: ReadOptions): Promise<ReadEnvelope> {
  if (envelope.items === null) return { events: [], feedback: [], malformed: 1 };
  const [reports, others] = partition(envelope.items);
  const bounded: BoundedOptions = { ...options, budget: newValueBudget(), scrub: newScrubBudget() };
  const read = await readErrors(envelope, others, bounded);
  if (reports.length === 0) return read;
  return readReports(envelope, reports, read, bounded);
}

function partition(items: readonly StoreItem[]): readonly [readonly StoreItem[], readonly StoreItem[]] {
  const others = items.filter(({ type }) => !isReport(type) && type !== 'attachment');
  const isAlone = hasMinidump(items) && others.every(({ type }) => type !== 'event');
  return [items.filter(({ type }) => isReport(type)), isAlone ? [OF_MINIDUMP, ...others] : others];
}

function hasMinidump(items: readonly StoreItem[]): boolean {
  return items.some(({ type }) => type === 'attachment');
}

async function readErrors(
  envelope: StoreEnvelope,
  items: readonly StoreItem[],
  options: BoundedOptions,
): Promise<ReadEnvelope> {
  const events: ReadEvent[] = [];
  const feedback: NewFeedback[] = [];
  let malformed = 0;
  for (const { type, payload: bytes } of items) {
    const body = parseBounded(bytes, options.budget);
    const isFirst = events.length + feedback.length === 0;
    const id = idOf(isFirst ? envelope.eventId : null, body, bytes);
    const text = type === 'event' ? undefined : feedbackOf(envelope, { id, type, body }, options);
    if (type === 'event' && body !== undefined) events.push(await readEvent(envelope, id, body, options));
    else if (text !== undefined) feedback.push(text);
    else malformed += 1;
  }
  return { events, feedback, malformed };
}

async function readReports(
  envelope: StoreEnvelope,
  items: readonly StoreItem[],
  before: ReadEnvelope,
  { maps, budget }: BoundedOptions,
): Promise<ReadEnvelope> {
  const events = [...before.events];
  let { malformed } = before;
  for (const [place, item] of items.entries()) {
    const body = parseBounded(item.payload, budget);
    const report = body === undefined ? undefined : readReport(body, item, envelope.receivedAtMs);
    if (report === undefined) malformed += 1;
    if (report === undefined || report === null) continue;
    const isFirst = events.length + before.feedback.length === 0;
    const id = isFirst ? eventIdOf(envelope.eventId) : null;
    events.push(await readEventOfReport(envelope, id ?? idOfReport(envelope, place, item), report, maps));
  }
  return { events, feedback: before.feedback, malformed };
}

/** Makes the id of a report. Reports have no ids and two can have equal bytes, so their place in the batch counts. */
function idOfReport({ eventId }: StoreEnvelope, place: number, { payload }: StoreItem): string {
  const text = `${eventId ?? ''} ${place}\n`;
  return createHash('sha256').update(text).update(payload).digest('hex').slice(0, 32);
}

function feedbackOf(
  { project, source, receivedAtMs: receivedMs, network }: StoreEnvelope,
  { id, type, body }: { readonly id: string; readonly type: string; readonly body: Fields | undefined },
  { scrub }: BoundedOptions,
): NewFeedback | undefined {
  const text = body === undefined ? undefined : readFeedback(type, fieldsAt(scrubEvent(body, scrub)));
  return text === undefined ? undefined : { ...text, project, source, feedbackId: id, receivedMs, network };
}

/** Returns the envelope's id, else the item's, else a hash of the bytes, which is the same for a repeat. */
function idOf(envelopeId: string | null, body: Fields | undefined, bytes: Uint8Array): string {
  return eventIdOf(envelopeId) ?? eventIdOf(body?.['event_id']) ?? hash('sha256', bytes, 'hex').slice(0, 32);
}

async function readEvent(
  envelope: StoreEnvelope,
  eventId: string,
  posted: Fields,
  { maps, own }: ReadOptions,
): Promise<ReadEvent> {
  const { source, project, receivedAtMs: receivedMs, sentAt, items } = envelope;
  const read = withSdk(normalEvent(posted), envelope.sdk);
  const event = hasMinidump(items ?? []) ? asCrash(read) : read;
  const kind = kindOf(event);
  const mapped = kind === 'browser' ? await mapEvent(event, envelope, maps) : null;
  const digest = eventDigest(mapped?.event ?? event, {
    source,
    root: source === 'own' ? own.root : '',
    frames: mapped === null ? 'all' : mapped.isMapped ? 'mapped' : 'none',
  });
  return {
    project,
    eventId,
    digest,
    kind,
    receivedMs,
    occurredMs: occurredMs(event, { receivedMs, sentAt }),
    related: kind === 'browser' ? relatedDigest(event) : null,
    source,
    isReport: false,
    isViolation: false,
    network: envelope.network,
    userAgent: envelope.userAgent,
    body: mapped?.event ?? event,
    unmapped: mapped?.unmapped ?? null,
  };
}

/** Makes the event of a report. Its one frame is mapped where a map exists; a missing map is not reported. */
async function readEventOfReport(
  envelope: StoreEnvelope,
  eventId: string,
  { event, digest, isViolation }: BrowserReport,
  maps: EventMapper,
): Promise<ReadEvent> {
  const { source, project, receivedAtMs: receivedMs, network, userAgent } = envelope;
  const mapped = await mapEvent(event, envelope, maps);
  return {
    project,
    eventId,
    digest,
    kind: 'browser',
    receivedMs,
    // The browser says the age of a report by one clock.
    occurredMs: occurredMs(event, { receivedMs, sentAt: null }),
    related: null,
    source,
    isReport: true,
    isViolation,
    network,
    userAgent,
    body: mapped.event,
    unmapped: null,
  };
}
