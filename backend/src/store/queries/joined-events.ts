import type { LinkedEvent } from '../../contract/event-api.ts';
import { exceptionsOf } from '../reading/exceptions.ts';
import { distanceMs, type LinkableEvent, type LinkCandidate } from './link-candidates.ts';

/** An event of the same request, and the id that both have. */
interface JoinedEvent {
  readonly event: LinkCandidate;
  readonly joinedBy: Exclude<LinkedEvent['joinedBy'], 'reference'>;
}

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
 * Finds an event of the same request in any project: one that has its request id, else one of its trace. Of several it is a
 * server's exception before a server's event without one (the page of a gateway) before a browser's, then the nearest.
 *
 * Confirmed events are joined as if there were no others: a stranger can send any number of events with an id.
 *
 * @param requests the first {@link EVENTS_READ} with its request id, itself included. @param traces those of its trace.
 */
export function joinedEventOf(
  event: LinkableEvent,
  requests: readonly LinkCandidate[],
  traces: readonly LinkCandidate[],
): JoinedEvent | null {
  for (const isCounted of [isConfirmed, () => true]) {
    const ofRequest = firstOf(event, unlessMany(requests.filter(isCounted)));
    if (ofRequest !== null) return { event: ofRequest, joinedBy: 'request_id' };
    const inTrace = unlessMany(traces.filter(isCounted));
    const ofTrace = firstOf(
      event,
      inTrace.filter((other) => isOneMoment(event, other)),
    );
    if (ofTrace !== null) return { event: ofTrace, joinedBy: 'trace_id' };
  }
  return null;
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
