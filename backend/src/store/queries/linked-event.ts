import type { IssueKind, IssueName } from '../../contract/event-api.ts';
import { relatedDigest } from '../event/event-digest.ts';
import { titleOf } from '../event/event-facts.ts';
import { type Fields, fieldsAt } from '../event/fields.ts';
import type { Database } from '../db/schema.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import type { Half } from './event-timeline.ts';
import { digestsOf, idsNamed, idsNaming } from '../issues/issue-names.ts';
import { isShared, nameOf } from '../issues/read-issues.ts';

/** An event whose other half is looked for. */
export interface Halved extends Half {
  readonly receivedMs: number;
}

/** The one that was found, and its issue. */
type Found = Halved & IssueName;

/** How far the clock of a browser is off at most, for its event to be looked at at all. */
const WINDOW_MS = 10 * 60_000;
/** Without a common trace the two lie so near to each other, by the clocks of the senders or by their arrival. */
const NEAR_MS = 60_000;
/** A fault of the server shows as few faults of the browser, and these have many events. */
const MAX_ISSUES = 5;
const MAX_EACH_WAY = 5;

/**
 * The other half of this very failure: the server's event behind a browser's, or the browser's that came of a
 * server's. The browser's event names the server's digest; of the events of that fault it is the one in the same
 * trace, else the one nearest in time.
 */
export async function otherHalfOf(db: Database, event: Halved, issueId: number): Promise<Found | null> {
  const names = await namesOfServer(db, event, issueId);
  if (names.length === 0) return null;
  let best: { readonly half: Found; readonly distance: number } | null = null;
  for (const otherId of await otherIssues(db, event.kind, names)) {
    for (const half of await around(db, otherId, event.occurredMs)) {
      const distance = distanceOf(event, half, names);
      if (distance <= NEAR_MS && (best === null || distance < best.distance)) best = { half, distance };
    }
  }
  return best?.half ?? null;
}

/** Digests by which the browser's event names the server's fault; by which version, depends on when it was shown. */
async function namesOfServer(
  db: Database,
  { kind, body }: Halved,
  issueId: number,
): Promise<readonly string[]> {
  if (kind === 'server') return (await digestsOf(db, issueId).execute()).map(({ digest }) => digest);
  const named = relatedDigest(body);
  return named === null ? [] : [named];
}

async function otherIssues(
  db: Database,
  kind: IssueKind,
  names: readonly string[],
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('issue')
    .select('id')
    .where('kind', '=', kind === 'browser' ? 'server' : 'browser')
    .where('id', 'in', kind === 'browser' ? idsNamed(db, names) : idsNaming(db, names))
    .orderBy('last_seen_ms', 'desc')
    .limit(MAX_ISSUES)
    .execute();
  return rows.map(({ id }) => id);
}

/** Events of an issue before and after a moment, the nearest ones. Each way is a walk of the index by issue and time. */
async function around(db: Database, issueId: number, timeMs: number): Promise<readonly Found[]> {
  const select = () =>
    db
      .selectFrom('event')
      .innerJoin('issue', 'issue.id', 'event.issue_id')
      .select(['event.event_id', 'event.occurred_ms', 'event.received_ms', 'event.path', 'event.payload'])
      .innerJoin('project', 'project.id', 'event.project_id')
      .select(['issue.kind', 'issue.digest', 'project.dsn'])
      .select(isShared())
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

/** Ms between the two; below 0 for two of one trace; Infinity where the browser's names another fault. */
function distanceOf(event: Halved, other: Halved, names: readonly string[]): number {
  const named = relatedDigest(event.kind === 'browser' ? event.body : other.body);
  if (named === null || !names.includes(named)) return Infinity;
  const bySenders = Math.abs(event.occurredMs - other.occurredMs);
  const trace = traceOf(event.body);
  if (trace !== null && trace === traceOf(other.body)) return bySenders - WINDOW_MS - 1;
  return Math.min(bySenders, Math.abs(event.receivedMs - other.receivedMs));
}

/** Two different ids disprove nothing: only SDKs that trace hand theirs on. */
function traceOf(body: Fields): string | null {
  const { trace_id: id } = fieldsAt(body, 'contexts', 'trace');
  return typeof id === 'string' && /^[\da-f]{32}$/i.test(id) ? id.toLowerCase() : null;
}
