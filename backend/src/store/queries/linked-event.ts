import type { IssueKind, LinkedEvent } from '../../contract/event-api.ts';
import { hexPrefixOf, referenceOf } from '../../digest/crockford.ts';
import { AFTER_PREFIX } from '../../envelope/event-id.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { relatedDigest, relatedReference } from '../event/event-digest.ts';
import { idsNamed, idsNaming } from '../issues/issue-names.ts';
import { joinedEventOf } from './joined-events.ts';
import {
  candidateOf,
  distanceMs,
  type LinkableEvent,
  type LinkCandidate,
  selectCandidates,
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
/** In an outage many visitors meet one fault in a second, and the half that names the reference is among theirs. */
const MAX_EACH_WAY = 20;

/**
 * Finds the events that belong to an event. A browser event names the digest and the reference of the server's response. All
 * events of a fault have its digest, so only the reference links the two halves of one failure; the digest alone leads to a
 * nearby event. Events of other senders are linked by the ids that both have.
 */
export async function linkedEventsOf(context: QueryContext, event: LinkableEvent): Promise<LinkedEvents> {
  const { half, around } = await ofFault(context.db, event);
  const linked =
    half === null ? await joinedEventOf(context, event) : { event: half, joinedBy: 'reference' as const };
  const others = around.filter(({ eventId }) => eventId !== linked?.event.eventId);
  return { linked, nearby: nearestOf(event, others) };
}

/** Returns the other half of a failure, and the events of the other source with its digest. */
async function ofFault(
  db: Database,
  event: LinkableEvent,
): Promise<{ readonly half: LinkCandidate | null; readonly around: readonly LinkCandidate[] }> {
  const digest = event.kind === 'server' ? event.digest : relatedDigest(event.body);
  if (digest === null) return { half: null, around: [] };
  const around: LinkCandidate[] = [];
  for (const issueId of await relatedIssues(db, event.kind, digest))
    around.push(...(await eventsAround(db, issueId, event.occurredMs)));
  if (event.kind === 'browser')
    return { half: await serverEventOf(db, digest, relatedReference(event.body)), around };
  const naming = around.filter(({ body }) => relatedDigest(body) === digest);
  const own = naming.filter(({ body }) => relatedReference(body) === referenceOf(event.eventId));
  return { half: firstOf(own), around: naming };
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

/** Returns the server event with a reference; of another fault that has the same 40 bits by chance, none. */
async function serverEventOf(
  db: Database,
  digest: string,
  reference: string | null,
): Promise<LinkCandidate | null> {
  if (reference === null) return null;
  const prefix = hexPrefixOf(reference);
  const rows = await selectCandidates(db)
    .where('event.event_id', '>=', prefix)
    .where('event.event_id', '<', prefix + AFTER_PREFIX)
    .limit(MAX_EACH_WAY)
    .execute();
  // Not in SQL: a database may choose the index on the digest then, and read all events of the fault.
  return firstOf(rows.map(candidateOf).filter((event) => event.kind === 'server' && event.digest === digest));
}

/** Returns the event that arrived first: a stranger can send a copy, but only after the page has shown its names. */
function firstOf(events: readonly LinkCandidate[]): LinkCandidate | null {
  return events.toSorted((one, other) => one.receivedMs - other.receivedMs)[0] ?? null;
}

/** Returns the nearest event, at most {@link NEAR_MS} away. */
function nearestOf(event: LinkableEvent, events: readonly LinkCandidate[]): LinkCandidate | null {
  const near = events.filter((other) => distanceMs(event, other) <= NEAR_MS);
  const ordered = near.toSorted((one, other) => distanceMs(event, one) - distanceMs(event, other));
  return ordered[0] ?? null;
}
