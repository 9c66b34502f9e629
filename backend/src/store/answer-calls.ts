import type { DeadLetterDetail } from '../contract/delivery-api.ts';
import { hexPrefixOf } from '../digest/crockford.ts';
import { readBack } from '../digest/read-back.ts';
import { deletedEvents, storedEvents } from './db/counters.ts';
import { deadLetterItems } from './event/dead-letter-items.ts';
import { eventIdOf } from './event/feedback.ts';
import { rawEventById } from './queries/events.ts';
import { lastEventId, liveEvents, type LiveRows } from './queries/live-events.ts';
import type { StoreContext } from './store-context.ts';

/** Symbols of a whole reference: 40 bits. */
const REFERENCE_SYMBOLS = 8;

/** What the answer page, the live view and the explanation of an empty answer are made of. */
export const ANSWER_CALLS = {
  /** The event as it is kept, scrubbed, as indented JSON. */
  rawEvent: async (
    { db }: StoreContext,
    eventId: string,
    project: string | null = null,
  ): Promise<string | undefined> => {
    const id = eventIdOf(eventId);
    return id === null ? undefined : rawEventById(db, id, project);
  },

  /** Events taken so far, those that were deleted since included. */
  storedEvents: ({ db }: StoreContext): Promise<number> => storedEvents(db),

  /** How many events were deleted, and which events a text names: ids, or for references the beginnings of them. */
  notFoundFacts: async (
    { db }: StoreContext,
    query: string,
  ): Promise<{ readonly deleted: number; readonly eventIds: readonly string[] }> => ({
    deleted: await deletedEvents(db),
    eventIds: namedEvents(query),
  }),

  lastEventId: ({ db }: StoreContext): Promise<number> => lastEventId(db),

  liveEvents: (
    { db }: StoreContext,
    afterId: number,
    missing: readonly number[],
    limit: number,
  ): Promise<LiveRows> => liveEvents(db, afterId, missing, limit),
};

/** What needs no database, and this thread only because what is read comes from strangers. */
export const PURE_CALLS = {
  /** What is in the bytes of a dead letter, scrubbed. */
  deadLetterItems: (
    _context: unknown,
    bytes: Uint8Array,
    isWhole: boolean,
  ): Promise<Pick<DeadLetterDetail, 'items' | 'unread'>> => Promise.resolve(deadLetterItems(bytes, isWhole)),
};

function namedEvents(query: string): readonly string[] {
  return readBack(query).flatMap((candidate) => {
    if (candidate.kind === 'event_id') return [candidate.eventId];
    const isReference = candidate.kind === 'symbols' && candidate.symbols.length === REFERENCE_SYMBOLS;
    return isReference ? [hexPrefixOf(candidate.symbols)] : [];
  });
}
