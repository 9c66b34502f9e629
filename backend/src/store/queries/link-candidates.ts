import type { EventLink, Provenance } from '../../contract/event-api.ts';
import type { Database } from '../db/schema.ts';
import { titleOf } from '../event/event-facts.ts';
import { CONFIRMED_ORIGINS, provenanceOf } from '../event/provenance.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { nameColumns, nameOf } from '../issues/read-issues.ts';
import type { TimelineEvent } from './timeline.ts';

/** An event with the facts by which its linked event is found. */
export interface LinkableEvent extends TimelineEvent {
  /** Id of its row. */
  readonly id: number;
  readonly receivedMs: number;
  readonly path: string | null;
  readonly digest: string;
  readonly provenance: Provenance;
}

/** An event that may be linked, with the name of its issue and its sender. */
export type LinkCandidate = LinkableEvent & EventLink;

/** Selects events with all that a candidate has. */
export function selectCandidates(db: Database) {
  return db
    .selectFrom('event')
    .innerJoin('issue', 'issue.id', 'event.issue_id')
    .innerJoin('project', 'project.id', 'event.project_id')
    .select(['event.id', 'event.event_id', 'event.occurred_ms', 'event.received_ms', 'event.path'])
    .select(['event.payload', 'event.origin', 'issue.kind', 'project.dsn'])
    .select(nameColumns());
}

/**
 * Selects the first of many events: the confirmed ones before all others, and of each kind those that arrived first. A stranger
 * can send any number of copies, but only after a page has shown its names.
 */
export function selectFirst(db: Database, count: number) {
  return selectCandidates(db)
    .orderBy((row) => row('event.origin', 'in', CONFIRMED_ORIGINS), 'desc')
    .orderBy('event.received_ms')
    .orderBy('event.id')
    .limit(count);
}

type CandidateRow = Awaited<ReturnType<ReturnType<typeof selectCandidates>['execute']>>[number];

export function candidateOf(row: CandidateRow): LinkCandidate {
  const body = decodeStoredEvent(row.payload).event;
  return {
    id: row.id,
    eventId: row.event_id,
    kind: row.kind,
    ...nameOf(row),
    title: titleOf(body, row.path),
    occurredMs: row.occurred_ms,
    receivedMs: row.received_ms,
    path: row.path,
    provenance: provenanceOf(row.origin),
    body,
  };
}

/** Returns the ms between two events, by the clocks of the senders or by their arrival: a browser's clock may be wrong. */
export function distanceMs(one: LinkableEvent, other: LinkableEvent): number {
  return Math.min(Math.abs(one.occurredMs - other.occurredMs), Math.abs(one.receivedMs - other.receivedMs));
}
