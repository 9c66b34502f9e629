import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import { isReport } from '../../envelope/envelope-class.ts';
import { scanItems } from '../../envelope/items.ts';
import type { EventStatus, MissingEvents, TraceWork } from '../protocol/event-status.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { itemsIfWhole } from './envelope-table.ts';
import { timeIn } from './spool-schema.ts';
import type { Tables } from './tables.ts';
import { AFTER_PREFIX } from '../../envelope/event-id.ts';

/**
 * Envelopes waiting for the store that are searched for an id, newest first. The search runs only while the store
 * answers, and then more than a few envelopes wait only right after an outage.
 */
const MAX_LOOKED_AT = 5_000;

/**
 * Finds the status of a single event: queued, dead letter, or lost.
 *
 * There is no index on event ids: each append would write one more page at a random position, for a query that users
 * run rarely. A stored event is found among the queued ones by its time of arrival, which is in the narrow table: 4
 * ms of CPU among 100,000 rows.
 */
export class EventTraces {
  readonly #tables: Tables;
  readonly #arrived: Statement<{ readonly id: number }>;
  readonly #queued: Statement<{ readonly eventId: string; readonly atMs: number | null }>;
  readonly #countQueued: Statement<{ readonly count: number }>;

  constructor(database: TypedDatabase, tables: Tables) {
    this.#tables = tables;
    this.#arrived = database.prepare(
      `SELECT id FROM envelope WHERE received_at_ms = ? AND project = ? AND pending & ${UPSTREAM_BIT}`,
    );
    this.#queued = database.prepare(
      `SELECT body.event_id AS eventId, ${timeIn('envelope.received_at_ms')} AS atMs
       FROM (SELECT id, received_at_ms FROM envelope WHERE class = 0 AND pending & ${STORE_BIT}
         ORDER BY id DESC LIMIT ${MAX_LOOKED_AT}) AS envelope CROSS JOIN body ON body.id = envelope.id
       WHERE body.event_id >= ? AND body.event_id < ? LIMIT 1`,
    );
    this.#countQueued = database.prepare(
      `SELECT count(*) AS count FROM envelope WHERE pending & ${STORE_BIT}`,
    );
  }

  /** Returns the status of an event on its way upstream; all null if the spool has no record of it. */
  trace({ eventId, project, receivedAtMs }: TraceWork): EventStatus {
    const projectId = this.#tables.projects.find(project);
    if (projectId === undefined) return { queuedId: null, deadLetter: null, lost: null };
    const { deadLetters, lostEvents } = this.#tables;
    const letter = deadLetters.ofEvent(eventId, projectId, UPSTREAM_BIT);
    const lost = lostEvents.find(eventId, projectId, UPSTREAM_BIT);
    return {
      queuedId: this.#queuedId(eventId, projectId, receivedAtMs),
      deadLetter: letter ?? null,
      lost: lost ?? null,
    };
  }

  /**
   * Counts the envelopes that wait for the store, and finds the first event in `eventIds` that waits or was lost.
   *
   * @param eventIds ids or prefixes.
   */
  missing(eventIds: readonly string[]): MissingEvents {
    const queued = this.#countQueued.get()?.count ?? 0;
    for (const eventId of eventIds) {
      const event = this.#missed(eventId);
      if (event !== null) return { queued, event };
    }
    return { queued, event: null };
  }

  #missed(eventId: string): MissingEvents['event'] {
    const queued = this.#queued.get(eventId, eventId + AFTER_PREFIX);
    if (queued !== undefined) return { ...queued, fate: 'queued', reason: 'queued' };
    return this.#tables.lostEvents.find(eventId, null, STORE_BIT) ?? null;
  }

  #queuedId(eventId: string, projectId: number, receivedAtMs: number): number | null {
    const rows = this.#arrived.all(receivedAtMs, projectId);
    return rows.find(({ id }) => this.#holds(id, eventId))?.id ?? null;
  }

  /**
   * In a batch of browser reports each report gets its own event id later, so the time of arrival identifies the
   * batch.
   */
  #holds(id: number, eventId: string): boolean {
    const envelope = this.#tables.envelopes.stored(id);
    if (envelope === undefined || envelope.eventId === eventId) return envelope !== undefined;
    const scan = scanItems(itemsIfWhole(envelope) ?? new Uint8Array(), 0);
    return scan.outcome === 'ok' && scan.items.some(({ type }) => isReport(type));
  }
}
