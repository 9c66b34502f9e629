import type { LinkedEvent } from '../../contract/event-api.ts';
import type { NamedKind } from '../../digest/id-text.ts';
import { joinHashesOf } from '../event/event-ids.ts';
import { exceptionsOf } from '../reading/exceptions.ts';
import { tagsOf } from '../reading/pairs.ts';
import { distanceMs, type LinkableEvent, type LinkCandidate } from './link-candidates.ts';

/** An event of the same request, and the id that both have. */
interface JoinedEvent {
  readonly event: LinkCandidate;
  readonly joinedBy: Exclude<LinkedEvent['joinedBy'], 'reference'>;
}

/** An id by which events are joined. */
interface JoinId {
  readonly kind: NamedKind;
  readonly hash: string;
}

/** An id with the first {@link EVENTS_READ} events that have it, the asked one included. */
interface EventsOfJoinId extends JoinId {
  readonly events: readonly LinkCandidate[];
}

const KINDS = ['request_id', 'trace_id'] as const;

/**
 * Largest distance of two events of a trace: a browser's SDK keeps one until the next navigation.
 *
 * @see https://docs.sentry.io/platforms/javascript/tracing/distributed-tracing/
 */
const TRACE_MS = 60_000;
/** More events of one id are a session, a batch or a counter that every process begins at 1. */
const MAX_EVENTS = 20;
/** Events of an id that are read: one more shows that it has too many. */
export const EVENTS_READ = MAX_EVENTS + 1;

/**
 * Returns the ids by which an event is joined. Of the ids of its request the page of a gateway has only the one that the gateway
 * has set: a client can choose the values of the other tags.
 */
export function joinIdsOf({ provenance, body }: LinkableEvent): readonly JoinId[] {
  const request = isPage({ provenance }) ? { tags: { request_id: tagsOf(body).get('request_id') } } : body;
  return KINDS.flatMap((kind) =>
    joinHashesOf(kind === 'request_id' ? request : body, kind).map((hash) => ({ kind, hash })),
  );
}

/**
 * Finds an event of the same request in any project: one that has its request id, else one of its trace. Of several it is a
 * server's exception before a server's event without one (the page of a gateway) before a browser's, then the nearest.
 *
 * Confirmed events are joined as if there were no others: a stranger can send any number of events with an id.
 *
 * @param ids those of {@link joinIdsOf}.
 */
export function joinedEventOf(event: LinkableEvent, ids: readonly EventsOfJoinId[]): JoinedEvent | null {
  for (const isCounted of [isConfirmed, () => true])
    for (const kind of KINDS) {
      const found = ids
        .filter((id) => id.kind === kind)
        .flatMap((id) =>
          unlessMany(id.events.filter(isCounted)).filter((other) => areJoined(event, other, id)),
        );
      const first = firstOf(event, found);
      if (first !== null) return { event: first, joinedBy: kind };
    }
  return null;
}

/** Pages of a gateway are joined with events of other senders, and by the very id that the gateway has set. */
function areJoined(event: LinkableEvent, other: LinkableEvent, { kind, hash }: JoinId): boolean {
  const isOfPage = (id: JoinId): boolean => id.kind === kind && id.hash === hash;
  if (isPage(other) && (isPage(event) || !joinIdsOf(other).some(isOfPage))) return false;
  return kind === 'request_id' || isOneMoment(event, other);
}

function isPage({ provenance }: Pick<LinkableEvent, 'provenance'>): boolean {
  return provenance.origin === 'gateway';
}

function isConfirmed({ provenance }: LinkCandidate): boolean {
  return provenance.isConfirmed;
}

function unlessMany(events: readonly LinkCandidate[]): readonly LinkCandidate[] {
  return events.length > MAX_EVENTS ? [] : events;
}

function isOneMoment(event: LinkableEvent, other: LinkableEvent): boolean {
  const areServers = event.kind === 'server' && other.kind === 'server';
  return (
    distanceMs(event, other) <= TRACE_MS &&
    (!areServers || (event.path !== null && event.path === other.path))
  );
}

function firstOf(event: LinkableEvent, events: readonly LinkCandidate[]): LinkCandidate | null {
  const others = events.filter(({ eventId }) => eventId !== event.eventId);
  const ordered = others.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || distanceMs(event, one) - distanceMs(event, other),
  );
  return ordered[0] ?? null;
}

function rankOf({ kind, body }: LinkCandidate): number {
  if (kind === 'browser') return 2;
  return exceptionsOf(body).length > 0 ? 0 : 1;
}
