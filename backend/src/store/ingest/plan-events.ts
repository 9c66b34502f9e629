import { padded, runCompiled } from '../db/compiled-query.ts';
import { hourOf } from '../../time/iso.ts';
import type { Database } from '../db/schema.ts';
import { isConfirmedSource, originOf } from '../event/provenance.ts';
import { type AssignedEvent, assignIssues, type UnassignedEvent } from './assign-issues.ts';
import { type IssueIds, type KnownIssues, NO_ISSUES } from './issue-rows.ts';
import type { IngestCache } from './ingest-cache.ts';
import type { ReadEvent } from './new-rows.ts';
import { projectId, type ProjectIds } from './project-rows.ts';
import type { BatchCounts } from './sender-counts.ts';

/**
 * Events of one issue and hour that are stored in full; of the others every tenth, then every hundredth. A flood of one
 * error must not displace all others from the store. Brief events are counted and found by their ids.
 *
 * The first ten are in full, from any sender: most hours of issues have no more, and need no count of networks, which cost
 * ingest 3 % of its time. The networks of the senders share the others equally, against a stranger whose copies make the
 * events of all others brief: a network has ninety divided by the number of networks so far. A lone one has all of them, the
 * second half as many, and after ninety networks a new one has none. This allows 435 in full at most, beside Errata's own.
 */
const UNSHARED_EVENTS_AN_HOUR = 10;
const SHARED_EVENTS_AN_HOUR = 90;
const TENTHS_AN_HOUR = 1_000;

const FORGED = originOf('tunnel');

/** An event to be written, in full or in brief. */
export interface PlannedEvent extends AssignedEvent {
  readonly isFull: boolean;
}

export interface Plan {
  /** In the order of their keys: see writeRows. */
  readonly events: readonly PlannedEvent[];
  /** The existing issues. */
  readonly known: KnownIssues;
  /** Rows of forged events that have the id of one of the events; they get another one. */
  readonly forged: readonly number[];
  /** Takes the events in full out of the shares of their networks. Must be called where they are not written. */
  readonly release: () => void;
}

/** An issue's hour with the events of the batch that were planned so far. */
interface PlannedHour {
  readonly key: string;
  events: number;
  /** The network of each event that has added to the shares of the cache: another batch may be planned before this one is written. */
  readonly added: (string | null)[];
}

/**
 * Decides for each event of a batch whether it is new and whether it is stored in full, before it is scrubbed: scrubbing
 * a full event to store two lines of it took most of the time of a flood. Reads only, so that a bug in a later step
 * leaves no transaction open.
 */
export async function planEvents(
  db: Database,
  reads: readonly ReadEvent[],
  projects: ProjectIds,
  { cache, senders }: { readonly cache: IngestCache; readonly senders: BatchCounts },
): Promise<Plan> {
  const { all, forged } = await unknownEvents(
    db,
    reads.map((read) => ({ read, projectId: projectId(projects, read.project) })),
  );
  if (all.length === 0) return { events: [], known: NO_ISSUES, forged, release: () => undefined };
  const { assigned, known } = await assignIssues(db, all, senders);
  const counts = await countsOf(db, assigned, known.ids);
  const hours = new Map<string, PlannedHour>();
  const events = assigned.map((event) => {
    const key = hourKey(event.issueKey, hourOf(event.read.occurredMs));
    const hour = hours.get(key) ?? { key, events: counts.get(key) ?? 0, added: [] };
    hours.set(key, hour);
    return { ...event, isFull: isStoredInFull(hour, cache, event.read.network) };
  });
  return { events, known, forged, release: () => hours.forEach((hour) => release(hour, cache)) };
}

function release({ key, added }: PlannedHour, cache: IngestCache): void {
  for (const network of added) {
    const shares = sharesOf(key, cache);
    const left = (shares.get(network) ?? 0) - 1;
    if (left > 0) shares.set(network, left);
    else shares.delete(network);
  }
}

/**
 * Returns the events that are not in the database, each once. A page may show the id of a server's event before that arrives:
 * an event of the public key must not make it a repeat.
 */
async function unknownEvents(
  db: Database,
  events: readonly UnassignedEvent[],
): Promise<{ readonly all: readonly UnassignedEvent[]; readonly forged: readonly number[] }> {
  const forged: number[] = [];
  if (events.length === 0) return { all: [], forged };
  const ordered = [...events.filter((event) => !isConfirmed(event)), ...events.filter(isConfirmed)];
  const byKey = new Map(ordered.map((event) => [eventKey(event.read.eventId, event.projectId), event]));
  const ids = padded(events.map(({ read }) => read.eventId));
  const { rows } = await runCompiled(db, `event keys ${ids.length}`, ids, () =>
    db.selectFrom('event').select(['id', 'project_id', 'event_id', 'origin']).where('event_id', 'in', ids),
  );
  for (const row of rows) {
    const key = eventKey(row.event_id, row.project_id);
    const event = byKey.get(key);
    // An event of an earlier version may be the same one.
    if (event !== undefined && isConfirmed(event) && row.origin === FORGED) forged.push(row.id);
    else byKey.delete(key);
  }
  const all = [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event);
  return { all, forged: forged.toSorted((one, other) => one - other) };
}

function isConfirmed({ read }: UnassignedEvent): boolean {
  return isConfirmedSource(read.source);
}

function eventKey(eventId: string, project: number): string {
  return `${eventId} ${project}`;
}

/** Returns how many events of each issue and hour were counted so far. */
async function countsOf(
  db: Database,
  events: readonly AssignedEvent[],
  known: IssueIds,
): Promise<ReadonlyMap<string, number>> {
  const ids = padded(known.values());
  if (ids.length === 0) return new Map();
  const hours = padded(events.map(({ read }) => hourOf(read.occurredMs)));
  const name = `hours ${ids.length} ${hours.length}`;
  const { rows } = await runCompiled(db, name, [...ids, ...hours], () =>
    db
      .selectFrom('issue_hour')
      .select(['issue_id', 'hour_ms', 'events'])
      .where('issue_id', 'in', ids)
      .where('hour_ms', 'in', hours),
  );
  const keys = new Map([...known].map(([key, id]) => [id, key]));
  return new Map(rows.map((row) => [hourKey(keys.get(row.issue_id) ?? '', row.hour_ms), row.events]));
}

function hourKey(issue: string, hourMs: number): string {
  return `${issue} ${hourMs}`;
}

function sharesOf(hour: string, cache: IngestCache): Map<string | null, number> {
  const shares = cache.shares.get(hour) ?? new Map<string | null, number>();
  cache.shares.set(hour, shares);
  return shares;
}

/**
 * Counts an event, and returns whether it is stored in full. Events without an address are Errata's own, or all events with
 * `ERRATA_CLIENT_IP=none`: they have all ninety, whoever else sends.
 */
function isStoredInFull(hour: PlannedHour, cache: IngestCache, network: string | null): boolean {
  const number = hour.events++;
  if (number < UNSHARED_EVENTS_AN_HOUR) return true;
  const shares = sharesOf(hour.key, cache);
  const taken = shares.get(network) ?? 0;
  const networks = network === null ? 1 : shares.size + (taken === 0 ? 1 : 0);
  if ((taken + 1) * networks <= SHARED_EVENTS_AN_HOUR) {
    shares.set(network, taken + 1);
    hour.added.push(network);
    return true;
  }
  return number % (number < TENTHS_AN_HOUR ? 10 : 100) === 0;
}
