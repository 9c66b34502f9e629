import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import type { EventLoss } from '../protocol/event-status.ts';
import { AFTER_PREFIX } from '../../envelope/event-id.ts';
import { timeIn } from './spool-schema.ts';

/** Losses stored by event id: about 100 bytes each, 1 MiB in all. Older ones stay counted in the ledger. */
const MAX_LOST_EVENTS = 10_000;

/** An error that one or more sinks did not get. */
export interface LostEventRow extends EventLoss {
  readonly eventId: string;
  readonly project: number;
  /** Bits of the sinks that miss it. */
  readonly bits: number;
}

/**
 * Stores the ids of lost errors, in the transaction that loses them, so that a search for one finds its outcome.
 * Delivered envelopes write nothing here.
 */
export class LostEvents {
  readonly #insert: Statement;
  readonly #find: Statement<LostEventRow>;
  readonly #setFate: Statement;
  readonly #forget: Statement;
  readonly #removeOld: Statement;
  #hasNew = false;

  constructor(database: TypedDatabase) {
    this.#insert = database.prepare(
      'INSERT INTO lost_event (event_id, project, bits, fate, reason, status, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#find = database.prepare(
      `SELECT event_id AS eventId, project, bits, fate, reason, status, ${timeIn('at_ms')} AS atMs
       FROM lost_event
       WHERE event_id >= ? AND event_id < ? AND bits & ? AND (? IS NULL OR project = ?) ORDER BY id DESC LIMIT 1`,
    );
    this.#setFate = database.prepare(
      'UPDATE lost_event SET fate = ?, at_ms = ? WHERE event_id = ? AND project = ? AND bits & ?',
    );
    this.#forget = database.prepare('DELETE FROM lost_event WHERE event_id = ? AND project = ? AND bits & ?');
    this.#removeOld = database.prepare(
      'DELETE FROM lost_event WHERE id <= (SELECT max(id) FROM lost_event) - ?',
    );
  }

  add({ eventId, project, bits, fate, reason, status, atMs }: LostEventRow): void {
    this.#insert.run(eventId, project, bits, fate, reason, status, atMs);
    this.#hasNew = true;
  }

  /** Returns the last loss of an event by these sinks. @param eventId id or prefix. @param project null for any. */
  find(eventId: string, project: number | null, bits: number): LostEventRow | undefined {
    return this.#find.get(eventId, eventId + AFTER_PREFIX, bits, project, project);
  }

  /** Records that an operator discarded its dead letter. */
  discard(eventId: string, project: number, bits: number, nowMs: number): void {
    this.#setFate.run('discarded', nowMs, eventId, project, bits);
  }

  /** Removes the record of an event whose dead letter is queued again. */
  forget(eventId: string, project: number, bits: number): void {
    this.#forget.run(eventId, project, bits);
  }

  /** Enforces the cap, once for each transaction. */
  flush(): void {
    if (this.#hasNew) this.#removeOld.run(MAX_LOST_EVENTS);
    this.#hasNew = false;
  }
}
