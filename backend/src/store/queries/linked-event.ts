import type { IssueKind, LinkedEvent } from '../../contract/event-api.ts';
import { hexPrefixOf, referenceOf } from '../../digest/crockford.ts';
import { AFTER_PREFIX } from '../../envelope/event-id.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { relatedDigest, relatedReference } from '../event/event-digest.ts';
import { referenceHashOf } from '../event/event-ids.ts';
import { idsNamed, idsNaming } from '../issues/issue-names.ts';
import { beginsWith, hasOneOf } from './hash-hits.ts';
import { eventsWith } from './id-window.ts';
import { EVENTS_READ, joinedEventOf, joinIdsOf } from './joined-events.ts';
import {
  candidateOf,
  distanceMs,
  type LinkableEvent,
  type LinkCandidate,
  selectCandidates,
  selectFirst,
} from './link-candidates.ts';

interface LinkedEvents {
  /** The other half of the same failure, else another event of the same request. */
  readonly linked: { readonly event: LinkCandidate; readonly joinedBy: LinkedEvent['joinedBy'] } | null;
  /** The nearest other event of the same fault. */
  readonly nearby: LinkCandidate | null;
}

/** Largest clock error of a browser that is allowed for: events further apart are not read. */
const WINDOW_MS = 10 * 60_000;
/** Largest distance of a nearby event. */
const NEAR_MS = 60_000;
/** Most issues that are read: a server error causes few browser issues, and each of them has many events. */
const MAX_ISSUES = 5;
const MAX_EACH_WAY = 20;
/** Server events with one reference that are read: strangers can choose their ids, but the server's event comes before theirs. */
const MAX_NAMESAKES = 20;

/**
 * Finds the events that belong to an event. A browser event names the digest and the reference of the server's response. All
 * events of a fault have its digest, so only the reference links the two halves of one failure; the digest alone leads to a
 * nearby event. Events of other senders are linked by the ids that both have.
 */
export async function linkedEventsOf(context: QueryContext, event: LinkableEvent): Promise<LinkedEvents> {
  const around = await ofFault(context.db, event);
  const linked = await linkOf(context, event, around);
  const others = around.filter(({ eventId }) => eventId !== linked?.event.eventId);
  return { linked, nearby: nearestOf(event, others) };
}

async function linkOf(
  context: QueryContext,
  event: LinkableEvent,
  around: readonly LinkCandidate[],
): Promise<LinkedEvents['linked']> {
  const server = event.kind === 'browser' ? await serverEventOf(context.db, event) : undefined;
  if (server !== undefined) return { event: server, joinedBy: 'reference' };
  const ids = joinIdsOf(event);
  const naming = event.kind === 'browser' ? [] : [beginsWith(referenceHashOf(referenceOf(event.eventId)))];
  const needles = [...ids.map(({ hash }) => hasOneOf(context.flavor, [hash])), ...naming];
  const found = await eventsWith(context, event, needles, EVENTS_READ);
  // Those around are for a browser that was offline for longer, and for events of an earlier version, which have no such hash.
  const half = halfOf(event, [...found.flat(), ...around]);
  if (half !== undefined) return { event: half, joinedBy: 'reference' };
  return joinedEventOf(
    event,
    ids.map((id, at) => ({ ...id, events: found[at] ?? [] })),
  );
}

/** Returns the nearest events of the other source with the digest of an event. */
async function ofFault(db: Database, event: LinkableEvent): Promise<readonly LinkCandidate[]> {
  const digest = event.kind === 'server' ? event.digest : relatedDigest(event.body);
  if (digest === null) return [];
  const around: LinkCandidate[] = [];
  for (const issueId of await relatedIssues(db, event.kind, digest))
    around.push(...(await eventsAround(db, issueId, event.occurredMs)));
  return event.kind === 'browser' ? around : around.filter(({ body }) => relatedDigest(body) === digest);
}

async function relatedIssues(
  db: Database,
  kind: IssueKind,
  serverDigest: string,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('issue')
    .select('id')
    .where('kind', '=', kind === 'browser' ? 'server' : 'browser')
    .where('id', 'in', kind === 'browser' ? idsNamed(db, [serverDigest]) : idsNaming(db, serverDigest))
    .orderBy('last_seen_ms', 'desc')
    .limit(MAX_ISSUES)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the nearest events of an issue before and after a time. Each direction walks the index by issue and time. */
async function eventsAround(
  db: Database,
  issueId: number,
  timeMs: number,
): Promise<readonly LinkCandidate[]> {
  const select = () => selectCandidates(db).where('event.issue_id', '=', issueId).limit(MAX_EACH_WAY);
  const before = await select()
    .where('event.occurred_ms', '<=', timeMs)
    .where('event.occurred_ms', '>=', timeMs - WINDOW_MS)
    .orderBy('event.occurred_ms', 'desc')
    .execute();
  const after = await select()
    .where('event.occurred_ms', '>', timeMs)
    .where('event.occurred_ms', '<=', timeMs + WINDOW_MS)
    .orderBy('event.occurred_ms')
    .execute();
  return [...before, ...after].map(candidateOf);
}

/** Returns the server event that a browser's names; of another fault that has the same 40 bits by chance, none. */
async function serverEventOf(db: Database, browser: LinkableEvent): Promise<LinkCandidate | undefined> {
  const reference = relatedReference(browser.body);
  if (reference === null) return undefined;
  const prefix = hexPrefixOf(reference);
  const rows = await selectFirst(db, MAX_NAMESAKES)
    .where('event.event_id', '>=', prefix)
    .where('event.event_id', '<', prefix + AFTER_PREFIX)
    .execute();
  // Not in SQL: a database may choose the index on the digest then, and read all events of the fault.
  return halfOf(browser, rows.map(candidateOf));
}

/**
 * Returns the other half of a failure. Of several it is a confirmed one before one of the same request or trace before all
 * others, then the first that arrived: a stranger may have seen the reference, but rarely the request.
 */
function halfOf(event: LinkableEvent, candidates: readonly LinkCandidate[]): LinkCandidate | undefined {
  const ids = new Set(joinIdsOf(event).map(({ hash }) => hash));
  const shares = (other: LinkCandidate): boolean => joinIdsOf(other).some(({ hash }) => ids.has(hash));
  const rankOf = (other: LinkCandidate): number => (other.provenance.isConfirmed ? 0 : shares(other) ? 1 : 2);
  return candidates
    .filter((other) => areHalves(event, other) || areHalves(other, event))
    .toSorted((one, other) => rankOf(one) - rankOf(other) || byArrival(one, other))[0];
}

/** Returns whether a browser's event names a server's, by its digest and its reference. */
function areHalves(server: LinkableEvent, browser: LinkableEvent): boolean {
  return (
    server.kind === 'server' &&
    browser.kind === 'browser' &&
    relatedDigest(browser.body) === server.digest &&
    relatedReference(browser.body) === referenceOf(server.eventId)
  );
}

function byArrival(one: LinkableEvent, other: LinkableEvent): number {
  return one.receivedMs - other.receivedMs || one.id - other.id;
}

/** Returns the nearest event, at most {@link NEAR_MS} away. */
function nearestOf(event: LinkableEvent, events: readonly LinkCandidate[]): LinkCandidate | null {
  const near = events.filter((other) => distanceMs(event, other) <= NEAR_MS);
  const ordered = near.toSorted((one, other) => distanceMs(event, one) - distanceMs(event, other));
  return ordered[0] ?? null;
}
