import { asBuffer } from './bytes.ts';
import { parseEventId } from './envelope-header.ts';
import { NIL_EVENT_ID } from './event-id.ts';
import { findText, spansObject } from './header-line.ts';
import type { Item } from './items.ts';

/** Types whose payload has the id of the event itself. That of a `user_report` is the id of another event. */
const WITH_OWN_ID: ReadonlySet<string> = new Set(['event', 'transaction', 'feedback']);

/**
 * Returns the id in the payload of an envelope's first event; null without one. The application knows this id, and no
 * other one that the tunnel could make where the header line has none.
 */
export function payloadEventId(body: Uint8Array, items: readonly Item[]): string | null {
  const event = items.find(({ type }) => WITH_OWN_ID.has(type));
  return event === undefined
    ? null
    : eventIdIn(asBuffer(body).subarray(event.payloadStart, event.payloadEnd));
}

/** Returns the id of an event in JSON; null without one and for zeros. */
export function eventIdIn(event: Buffer): string | null {
  const id = spansObject(event) ? parseEventId(findText(event, 'event_id')) : undefined;
  return id === undefined || id === NIL_EVENT_ID ? null : id;
}
