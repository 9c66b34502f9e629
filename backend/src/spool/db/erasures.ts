import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import type { ErasureScan, ScannedBodies } from '../protocol/spool-messages.ts';
import type { ProjectBytes, SpooledBytes } from '../../sink/queued-envelope.ts';
import type { Tables } from './tables.ts';

/** A row with the number of its project. */
type ScannedRow = SpooledBytes & { readonly project: number };

/** Limits of one scan: appends wait for it, a few milliseconds. */
const MAX_ROWS = 200;
const MAX_BYTES = 2 ** 20;

/**
 * Reads queued envelopes and dead letters in pieces, and removes those that an erasure names. The store's thread parses
 * them: this thread commits, and must not parse.
 */
export class Erasures {
  readonly #tables: Tables;
  readonly #scans: Readonly<Record<ErasureScan['from'], Statement<ScannedRow>>>;

  constructor(database: TypedDatabase, tables: Tables) {
    this.#tables = tables;
    const columns = 'project, event_id AS eventId, header, stored, is_gzip AS isGzip';
    this.#scans = {
      queued: database.prepare(
        `SELECT envelope.id, received_at_ms AS receivedAtMs, ${columns} FROM envelope JOIN body USING (id)
         WHERE envelope.id > ? AND received_at_ms < ? ORDER BY envelope.id LIMIT ${MAX_ROWS}`,
      ),
      dead: database.prepare(
        `SELECT id, received_at_ms AS receivedAtMs, ${columns} FROM dead_letter
         WHERE id > ? AND received_at_ms < ? ORDER BY id LIMIT ${MAX_ROWS}`,
      ),
    };
  }

  /** Returns the next rows that were received before a time; `next` is null after the last. */
  scan({ from, afterId, beforeMs }: ErasureScan): ScannedBodies {
    const bodies: ProjectBytes[] = [];
    let bytes = 0;
    for (const body of this.#scans[from].iterate(afterId, beforeMs)) {
      bodies.push({ ...body, project: this.#tables.projects.dsn(body.project) });
      bytes += body.stored.length;
      if (bytes >= MAX_BYTES) return { bodies, next: body.id };
    }
    return { bodies, next: bodies.length < MAX_ROWS ? null : (bodies.at(-1)?.id ?? null) };
  }

  /** Removes envelopes; call it in a transaction. @returns the ids that existed. */
  removeQueued(ids: readonly number[]): readonly number[] {
    const { envelopes, ledger } = this.#tables;
    const erased = ids.filter((id) => envelopes.remove(id));
    ledger.count('erased', '', erased.length);
    return erased;
  }

  /** Removes dead letters. The ledger counted them when they were refused, so nothing is counted here. */
  removeDead(ids: readonly number[], nowMs: number): readonly number[] {
    return ids.filter((id) => this.#tables.deadLetters.discard(id, nowMs));
  }
}
