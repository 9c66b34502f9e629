import type { IssueKind, IssueName } from '../../contract/event-api.ts';
import { relatedDigest } from '../event/event-digest.ts';
import { titleOf } from '../event/event-facts.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import type { Database } from '../db/schema.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import type { TimelineEvent } from './timeline.ts';
import { idsNamed, idsNaming } from '../issues/issue-names.ts';
import { nameColumns, nameOf } from '../issues/read-issues.ts';

/** An event with the facts by which its linked event is found. */
export interface LinkableEvent extends TimelineEvent {
  readonly receivedMs: number;
  readonly digest: string;
}

/** An event of the other source, with the name of its issue. */
type LinkCandidate = LinkableEvent & IssueName;

/** Largest clock error of a browser that is allowed for: events further apart are not read. */
const WINDOW_MS = 10 * 60_000;
/** Largest distance of two events without a common trace, by the clocks of the senders or by their arrival. */
const NEAR_MS = 60_000;
/** Most issues that are read: a server error causes few browser issues, and each of them has many events. */
const MAX_ISSUES = 5;
const MAX_EACH_WAY = 5;

/**
 * Finds the event of the other source that belongs to the same failure: the server event that caused a browser event,
 * or the browser event that a server event caused. The browser event names the server's digest. Returns the
 * event of that issue in the same trace, else the nearest one in time.
 */
export async function linkedEventOf(db: Database, event: LinkableEvent): Promise<LinkCandidate | null> {
  const serverDigest = event.kind === 'server' ? event.digest : relatedDigest(event.body);
  if (serverDigest === null) return null;
  let best: { readonly candidate: LinkCandidate; readonly distance: number } | null = null;
  for (const issueId of await linkedIssues(db, event.kind, serverDigest)) {
    for (const candidate of await eventsAround(db, issueId, event.occurredMs)) {
      const distance = distanceOf(event, candidate, serverDigest);
      if (distance <= NEAR_MS && (best === null || distance < best.distance)) best = { candidate, distance };
    }
  }
  return best?.candidate ?? null;
}

async function linkedIssues(db: Database, kind: IssueKind, serverDigest: string): Promise<readonly number[]> {
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
  const select = () =>
    db
      .selectFrom('event')
      .innerJoin('issue', 'issue.id', 'event.issue_id')
      .select(['event.event_id', 'event.occurred_ms', 'event.received_ms', 'event.path', 'event.payload'])
      .innerJoin('project', 'project.id', 'event.project_id')
      .select(['issue.kind', 'project.dsn'])
      .select(nameColumns())
      .where('event.issue_id', '=', issueId)
      .limit(MAX_EACH_WAY);
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
  return [...before, ...after].map((row) => {
    const body = decodeStoredEvent(row.payload).event;
    return {
      eventId: row.event_id,
      kind: row.kind,
      ...nameOf(row),
      title: titleOf(body, row.path),
      occurredMs: row.occurred_ms,
      receivedMs: row.received_ms,
      body,
    };
  });
}

/** Returns the ms between two events; below 0 in one trace; Infinity where the browser's names another server error. */
function distanceOf(event: LinkableEvent, other: LinkableEvent, serverDigest: string): number {
  if (relatedDigest(event.kind === 'browser' ? event.body : other.body) !== serverDigest) return Infinity;
  const bySenders = Math.abs(event.occurredMs - other.occurredMs);
  const trace = traceOf(event.body);
  if (trace !== null && trace === traceOf(other.body)) return bySenders - WINDOW_MS - 1;
  return Math.min(bySenders, Math.abs(event.receivedMs - other.receivedMs));
}

/** Two different trace ids prove nothing: only SDKs with tracing pass theirs on. */
function traceOf(body: Fields): string | null {
  const { trace_id: id } = fieldsAt(body, 'contexts', 'trace');
  return typeof id === 'string' && /^[\da-f]{32}$/i.test(id) ? id.toLowerCase() : null;
}
