import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ErasureLook, HeldBody, LookedThrough } from '../protocol/spool-messages.ts';
import type { Tables } from './tables.ts';

/** Of one look and one transaction; appends wait for either, a few milliseconds. */
const MAX_ROWS = 200;
const MAX_BYTES = 2 ** 20;

/**
 * Looks through what is held and what is dead, and takes out what somebody wants forgotten. What an envelope holds is
 * read elsewhere: this thread commits, and must not parse.
 */
export class Erasures {
  readonly #tables: Tables;
  readonly #looks: Readonly<Record<ErasureLook['from'], StatementSync>>;

  constructor(database: DatabaseSync, tables: Tables) {
    this.#tables = tables;
    const columns = 'event_id AS eventId, header, stored, is_gzip AS isGzip';
    this.#looks = {
      held: database.prepare(
        `SELECT envelope.id, received_at_ms AS receivedAtMs, ${columns} FROM envelope JOIN body USING (id)
         WHERE envelope.id > ? AND received_at_ms < ? ORDER BY envelope.id LIMIT ${MAX_ROWS}`,
      ),
      dead: database.prepare(
        `SELECT id, received_at_ms AS receivedAtMs, ${columns} FROM dead_letter
         WHERE id > ? AND received_at_ms < ? ORDER BY id LIMIT ${MAX_ROWS}`,
      ),
    };
  }

  /** The next ones that came in before a time; `next` is null after the last. */
  look({ from, afterId, beforeMs }: ErasureLook): LookedThrough {
    const bodies: HeldBody[] = [];
    let bytes = 0;
    for (const row of this.#looks[from].iterate(afterId, beforeMs)) {
      const body = row as unknown as HeldBody;
      bodies.push(body);
      bytes += body.stored.length;
      if (bytes >= MAX_BYTES) return { bodies, next: body.id };
    }
    return { bodies, next: bodies.length < MAX_ROWS ? null : (bodies.at(-1)?.id ?? null) };
  }

  /** Takes envelopes out for good; to be called in a transaction. @returns those that were there. */
  removeHeld(ids: readonly number[]): readonly number[] {
    const { envelopes, ledger } = this.#tables;
    const erased = ids.filter((id) => {
      const place = envelopes.place(id);
      if (place !== undefined) envelopes.remove(place);
      return place !== undefined;
    });
    ledger.count('erased', '', erased.length);
    return erased;
  }

  /** Their end was counted when they died. */
  removeDead(ids: readonly number[], nowMs: number): readonly number[] {
    return ids.filter((id) => this.#tables.deadLetters.discard(id, nowMs));
  }
}
