import type { EventSummary, IssueKind, EventContent, EventLink } from '../../contract/event-api.ts';
import { cut } from '../../scrub/cut.ts';
import { referenceOf } from '../../digest/crockford.ts';
import { tagsOf } from '../reading/pairs.ts';
import { serverOf, titleOf } from '../event/event-facts.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { provenanceOf } from '../event/provenance.ts';
import type { QueryContext } from '../db/query-context.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { contextDetailsOf } from './context-detail.ts';
import { exceptionDetailsOf } from './exception-detail.ts';
import { MAX_VALUE_LENGTH, namedTexts } from './named-texts.ts';
import type { LinkableEvent } from './link-candidates.ts';
import { linkedEventsOf } from './linked-event.ts';
import { requestDetailOf } from './request-detail.ts';
import { timelineOf } from './timeline.ts';
import { type NamedRow, nameOf } from '../issues/read-issues.ts';
import { isoTime } from '../../time/iso.ts';

/** Columns of an {@link EventRow}, with the id of the row. */
export const EVENT_COLUMNS = [
  'event.id',
  'event.event_id',
  'event.occurred_ms',
  'event.release',
  'event.environment',
  'event.path',
  'event.browser',
  'event.person',
  'event.server',
] as const;

/** Columns of an event that every response shows. */
export interface EventRow {
  readonly event_id: string;
  readonly occurred_ms: number;
  readonly release: string | null;
  readonly environment: string | null;
  readonly path: string | null;
  readonly browser: string | null;
  readonly person: string | null;
  readonly server: string | null;
}

export interface EventBodyRow extends EventRow, NamedRow {
  readonly id: number;
  readonly issue_id: number;
  readonly received_ms: number;
  readonly spool: number;
  readonly payload: Uint8Array;
  readonly kind: IssueKind;
  readonly origin: number;
}

/** An event as the store returns it. */
export interface StoredDetail extends EventContent {
  /** Identity of the spool it came through. */
  readonly spool: number;
}

const MAX_TAGS = 200;
const MAX_NAME_LENGTH = 200;

export function eventSummaryOf(row: EventRow): EventSummary {
  return {
    eventId: row.event_id,
    reference: referenceOf(row.event_id),
    time: isoTime(row.occurred_ms),
    path: row.path,
    browser: row.browser,
    release: row.release,
    environment: row.environment,
    user: row.person,
    server: row.server,
  };
}

/**
 * Returns everything that the console shows of one event. A posted event may have any shape: each part reads the
 * members it knows, cut to a readable length; the raw JSON shows the rest.
 */
export async function eventDetailOf(context: QueryContext, row: EventBodyRow): Promise<StoredDetail> {
  const { event, unmapped, isBrief } = decodeStoredEvent(row.payload);
  const shown = linkableEvent(row, event);
  const { linked, nearby } = await linkedEventsOf(context, shown);
  return {
    ...eventSummaryOf(row),
    ...nameOf(row),
    title: shown.title,
    exceptions: exceptionDetailsOf(event),
    unmapped,
    tags: Object.fromEntries(shownTags(event)),
    ...(isBrief ? { brief: true } : {}),
    provenance: shown.provenance,
    // The rows of an earlier version have none.
    server: row.server ?? serverOf(event),
    received: isoTime(row.received_ms),
    request: requestDetailOf(event),
    contexts: contextDetailsOf(event),
    userFacts: namedTexts(fieldsAt(event, 'user')),
    // The times of another request of a trace, or of a stranger's with the same id, say nothing of this failure.
    timeline: timelineOf(shown, linked?.joinedBy === 'reference' ? linked.event : null),
    linkedEvent: linked === null ? null : { ...linkOf(linked.event), joinedBy: linked.joinedBy },
    nearbyEvent:
      nearby === null ? null : { ...linkOf(nearby), kind: nearby.kind, time: isoTime(nearby.occurredMs) },
    spool: row.spool,
  };
}

function linkOf({ eventId, project, digest, address, isShared, title, provenance }: EventLink): EventLink {
  return { eventId, project, digest, address, isShared, title, provenance };
}

function linkableEvent(row: EventBodyRow, body: Fields): LinkableEvent {
  return {
    id: row.id,
    path: row.path,
    digest: row.digest,
    provenance: provenanceOf(row.origin),
    eventId: row.event_id,
    kind: row.kind,
    title: titleOf(body, row.path),
    occurredMs: row.occurred_ms,
    receivedMs: row.received_ms,
    body,
  };
}

function shownTags(event: Fields): readonly (readonly [string, string])[] {
  return [...tagsOf(event)]
    .slice(0, MAX_TAGS)
    .map(([name, value]) => [cut(name, MAX_NAME_LENGTH), cut(value, MAX_VALUE_LENGTH)]);
}
