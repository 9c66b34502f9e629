import { setImmediate } from 'node:timers/promises';
import type { LinkedEvent } from '../../contract/event-api.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { requestHashesOf, traceHashesOf } from '../event/event-ids.ts';
import { exceptionsOf } from '../reading/exceptions.ts';
import { hitColumns, hitsOf } from './hash-hits.ts';
import {
  candidateOf,
  distanceMs,
  type LinkableEvent,
  type LinkCandidate,
  selectCandidates,
} from './link-candidates.ts';

/** An event of the same request, and the id that both have. */
interface JoinedEvent {
  readonly event: LinkCandidate;
  readonly joinedBy: Exclude<LinkedEvent['joinedBy'], 'reference'>;
}

/** A request ends within minutes; a report of it may wait for the network. */
const BEFORE_MS = 10 * 60_000;
const AFTER_MS = 60 * 60_000;
/**
 * Largest distance of two events of a trace: a browser's SDK keeps one until the next navigation.
 *
 * @see https://docs.sentry.io/platforms/javascript/tracing/distributed-tracing/
 */
const TRACE_MS = 60_000;
/** More events of one id are a session, a batch or a counter that every process begins at 1. */
const MAX_EVENTS = 20;
/** Rows whose ids are read, half of them on each side of the event: some 60 ms. One step of it holds up other requests. */
const MAX_ROWS = 200_000;
const STEP_ROWS = 50_000;
/** Rows by whose arrival the ends of the window are known; replicas store events in another order than that of their arrival. */
const EDGE_ROWS = 1_000;

/**
 * Finds an event of the same request in any project: one that has its request id, else one of its trace. Of several it is a
 * server's exception before a server's event without one (the page of a gateway) before a browser's, then the nearest.
 */
export async function joinedEventOf(
  context: QueryContext,
  event: LinkableEvent,
): Promise<JoinedEvent | null> {
  const needles = [requestHashesOf(event.body), traceHashesOf(event.body)];
  if (needles.every((hashes) => hashes.length === 0)) return null;
  const [requests = [], traces = []] = await rowsWith(context, event, needles);
  const ofRequest = firstOf(event, await othersOf(context.db, event, requests));
  if (ofRequest !== null) return { event: ofRequest, joinedBy: 'request_id' };
  const others = await othersOf(context.db, event, traces);
  const ofTrace = firstOf(
    event,
    others.filter((other) => isOneMoment(event, other)),
  );
  return ofTrace === null ? null : { event: ofTrace, joinedBy: 'trace_id' };
}

/** Returns for each list of hashes the rows in the window of the event that have one of them, itself included. */
async function rowsWith(
  { db, flavor }: QueryContext,
  event: LinkableEvent,
  needles: readonly (readonly string[])[],
): Promise<readonly (readonly number[])[]> {
  const found = needles.map((): number[] => []);
  const { first, last } = await windowOf(db, event);
  for (let from = first; from <= last; from += STEP_ROWS) {
    const to = Math.min(from + STEP_ROWS - 1, last);
    const row = await db
      .selectFrom('event_ids')
      .select(hitColumns(flavor, needles))
      .where('event', '>=', from)
      .where('event', '<=', to)
      .executeTakeFirstOrThrow();
    hitsOf(row, needles).forEach((ids, at) => found[at]?.push(...ids));
    // The embedded database is synchronous: without this no other request runs.
    await setImmediate();
  }
  return found;
}

/** Returns the ids of the first and of the last row that may have arrived in the window of an event. */
async function windowOf(
  db: Database,
  { id, receivedMs }: LinkableEvent,
): Promise<{ readonly first: number; readonly last: number }> {
  const select = () => db.selectFrom('event').select('id').limit(EDGE_ROWS);
  const earliest = await select()
    .where('received_ms', '>=', receivedMs - BEFORE_MS)
    .orderBy('received_ms')
    .execute();
  const latest = await select()
    .where('received_ms', '<=', receivedMs + AFTER_MS)
    .orderBy('received_ms', 'desc')
    .execute();
  return {
    first: Math.max(id - MAX_ROWS / 2, Math.min(id, ...earliest.map((row) => row.id))),
    last: Math.min(id + MAX_ROWS / 2, Math.max(id, ...latest.map((row) => row.id))),
  };
}

/** Returns the other events of rows that arrived in the window; none of too many. */
async function othersOf(
  db: Database,
  event: LinkableEvent,
  rows: readonly number[],
): Promise<readonly LinkCandidate[]> {
  if (rows.length === 0 || rows.length > MAX_EVENTS) return [];
  const found = await selectCandidates(db)
    .where('event.id', 'in', rows)
    .where('event.received_ms', '>=', event.receivedMs - BEFORE_MS)
    .where('event.received_ms', '<=', event.receivedMs + AFTER_MS)
    .execute();
  return found.map(candidateOf).filter(({ eventId }) => eventId !== event.eventId);
}

function isOneMoment(event: LinkableEvent, other: LinkableEvent): boolean {
  const areServers = event.kind === 'server' && other.kind === 'server';
  return (
    distanceMs(event, other) <= TRACE_MS &&
    (!areServers || (event.path !== null && event.path === other.path))
  );
}

function firstOf(event: LinkableEvent, others: readonly LinkCandidate[]): LinkCandidate | null {
  const ordered = others.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || distanceMs(event, one) - distanceMs(event, other),
  );
  return ordered[0] ?? null;
}

function rankOf({ kind, body }: LinkCandidate): number {
  if (kind === 'browser') return 2;
  return exceptionsOf(body).length > 0 ? 0 : 1;
}
