import type { Digest } from '../../digest/digest.ts';
import type { Database } from '../db/schema.ts';
import { isConfirmedSource } from '../event/provenance.ts';
import { issueKey, unconfirmedKey } from '../issues/issue-names.ts';
import { type IssueIds, type KnownIssues, knownIssues } from './issue-rows.ts';
import type { ReadEvent } from './new-rows.ts';
import { type BatchCounts, type FurtherErrors, furtherErrorsOf } from './sender-counts.ts';

/** An event that is not stored. */
export interface UnassignedEvent {
  readonly read: ReadEvent;
  readonly projectId: number;
}

/** An event with the issue that counts it. */
export interface AssignedEvent extends UnassignedEvent {
  /** Digest of the issue. */
  readonly digest: Digest;
  /** Key of the issue; see issueKey. */
  readonly issueKey: string;
  /** Set where that is the issue for further errors, because its network has created too many. */
  readonly further?: FurtherErrors;
}

/** Events with their issues. */
export interface Assignment {
  /** In the order of the events. */
  readonly assigned: readonly AssignedEvent[];
  /** Those of the issues that exist. */
  readonly known: KnownIssues;
}

/**
 * Assigns an issue to each event.
 *
 * An unconfirmed event never joins an issue that has a confirmed one. Anyone who has seen a page can send it: it could change
 * the issue's title, reopen it, and use up its full events and facts. It goes to an issue of its own, with the same digest and
 * {@link unconfirmedKey}. Marks within one issue would need a condition in each query, and would either let a stranger use up
 * what the issue has, or keep quiet about a real error that came with the public key. Confirmed events of a batch count as
 * the first ones.
 *
 * An event that would be a new issue above the cap of its network is counted in the issue for further errors.
 */
export async function assignIssues(
  db: Database,
  events: readonly UnassignedEvent[],
  senders: BatchCounts,
): Promise<Assignment> {
  const all = events.map((event) => withDigest(event, event.read.digest));
  const first = await knownIssues(db, keysOf(all));
  const within = withinCap(senders);
  const confirmed = all.filter(isConfirmed).map((event) => within(event, first.ids));
  const taken = new Set([...first.confirmed, ...confirmed.map((event) => event.issueKey)]);
  const others = all
    .filter((event) => !isConfirmed(event))
    .map((event) => (taken.has(event.issueKey) ? withDigest(event, unconfirmedDigest(event)) : event));
  const second = await knownIssues(db, keysOf(others.filter(({ digest, read }) => digest !== read.digest)));
  const ids = new Map([...first.ids, ...second.ids]);
  const assigned = new Map(
    [...confirmed, ...others.map((event) => within(event, ids))].map((event) => [event.read, event]),
  );
  const further = [...assigned.values()].filter((event) => event.further !== undefined);
  const third = await knownIssues(db, keysOf(further));
  return {
    assigned: events.flatMap(({ read }) => assigned.get(read) ?? []),
    known: {
      ids: new Map([...ids, ...third.ids]),
      confirmed: new Set([...first.confirmed, ...second.confirmed, ...third.confirmed]),
    },
  };
}

function isConfirmed({ read }: UnassignedEvent): boolean {
  return isConfirmedSource(read.source);
}

function keysOf(events: readonly AssignedEvent[]): readonly string[] {
  return events.map(({ digest }) => digest.key);
}

function withDigest({ read, projectId }: UnassignedEvent, digest: Digest): AssignedEvent {
  return { read, projectId, digest, issueKey: issueKey(digest.key, projectId) };
}

function unconfirmedDigest({ digest: { key, shown } }: AssignedEvent): Digest {
  return { key: unconfirmedKey(key), shown };
}

/** Returns a function that assigns the issue for further errors to an event which would be a new issue above the cap of its network. */
function withinCap(senders: BatchCounts): (event: AssignedEvent, ids: IssueIds) => AssignedEvent {
  const created = new Set<string>();
  return (event, ids) => {
    if (ids.has(event.issueKey) || created.has(event.issueKey)) return event;
    if (!senders.addIssue(event.read)) {
      const further = furtherErrorsOf(event.read.network, isConfirmed(event));
      return { ...withDigest(event, further.digest), further };
    }
    created.add(event.issueKey);
    return event;
  };
}
