import type { IssueKind } from '../../contract/event-api.ts';
import { relatedDigest } from '../ingest/event-digest.ts';
import { titleOf } from '../ingest/event-facts.ts';
import { type Fields, fieldsAt } from '../ingest/fields.ts';
import type { Database } from '../schema.ts';
import { decodeStoredEvent } from '../stored-event.ts';
import type { Half } from './half-line.ts';

/** An event whose other half is looked for. */
export interface Halved extends Half {
  readonly digest: string;
  readonly receivedMs: number;
}

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
export async function otherHalfOf(db: Database, event: Halved): Promise<Halved | null> {
  const issues = await otherIssues(db, event);
  let best: { readonly half: Halved; readonly distance: number } | null = null;
  for (const issueId of issues) {
    for (const half of await around(db, issueId, event.occurredMs)) {
      const distance = distanceOf(event, half);
      if (distance <= NEAR_MS && (best === null || distance < best.distance)) best = { half, distance };
    }
  }
  return best?.half ?? null;
}

async function otherIssues(db: Database, { kind, digest, body }: Halved): Promise<readonly number[]> {
  const named = kind === 'browser' ? relatedDigest(body) : digest;
  if (named === null) return [];
  const other: IssueKind = kind === 'browser' ? 'server' : 'browser';
  const rows = await db
    .selectFrom('issue')
    .select('id')
    .where('kind', '=', other)
    .$if(kind === 'browser', (query) => query.where('digest', '=', named))
    .$if(kind === 'server', (query) =>
      query.where('id', 'in', (from) =>
        from.selectFrom('issue_relation').select('issue_id').where('issue_relation.digest', '=', named),
      ),
    )
    .orderBy('last_seen_ms', 'desc')
    .limit(MAX_ISSUES)
    .execute();
  return rows.map(({ id }) => id);
}

/** Events of an issue before and after a moment, the nearest ones. Each way is a walk of the index by issue and time. */
async function around(db: Database, issueId: number, timeMs: number): Promise<readonly Halved[]> {
  const select = () =>
    db
      .selectFrom('event')
      .innerJoin('issue', 'issue.id', 'event.issue_id')
      .select(['event.event_id', 'event.occurred_ms', 'event.received_ms', 'event.path', 'event.payload'])
      .select(['issue.kind', 'issue.digest'])
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
      digest: row.digest,
      title: titleOf(body, row.path),
      occurredMs: row.occurred_ms,
      receivedMs: row.received_ms,
      body,
    };
  });
}

/** Ms between the two; below 0 for two of one trace; Infinity where the browser's names another fault. */
function distanceOf(event: Halved, other: Halved): number {
  const [browser, server] = event.kind === 'browser' ? [event, other] : [other, event];
  if (relatedDigest(browser.body) !== server.digest) return Infinity;
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
