import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { HASH_LENGTH, itemsHash } from '../items-hash.ts';
import type { EnvelopeRow } from '../packed-envelopes.ts';
import type { SpoolLimits } from '../spool-messages.ts';

/** Characters of a key, all of one byte: project, event id, hash of the items. */
const KEY_LENGTH = 4 + 32 + HASH_LENGTH;

/**
 * Recognises envelopes that were taken before, so that a sender's retry is answered and not delivered twice.
 *
 * Same project, same event id, same bytes behind the header line (a retry changes only `sent_at`). Envelopes without
 * an event id carry timestamps or ids of their own: equal bytes mean a retry there too (protocol 3.7).
 * The keys of one commit are one row: a tree of random keys would double what a commit writes.
 */
export class Dedup {
  readonly #limits: SpoolLimits['dedup'];
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #keys = new Set<string>();
  /** Batches by their row, oldest first; the first ones of `#keys` are theirs. */
  readonly #batches = new Map<number, Batch>();
  #open = new Set<string>();
  #written: { readonly id: number; readonly batch: Batch } | undefined;

  constructor(database: DatabaseSync, limits: SpoolLimits['dedup']) {
    this.#limits = limits;
    this.#insert = database.prepare('INSERT INTO dedup (at_ms, keys) VALUES (?, ?)');
    this.#remove = database.prepare('DELETE FROM dedup WHERE id <= ?');
    const rows = database.prepare('SELECT id, at_ms, keys FROM dedup ORDER BY id').all() as unknown as {
      id: number;
      at_ms: number;
      keys: Uint8Array;
    }[];
    for (const { id, at_ms: atMs, keys } of rows) {
      const text = Buffer.from(keys).toString('latin1');
      for (let at = 0; at < text.length; at += KEY_LENGTH) this.#keys.add(text.slice(at, at + KEY_LENGTH));
      this.#batches.set(id, { atMs, count: text.length / KEY_LENGTH });
    }
  }

  /** The key of an envelope. @param crc of `row.stored`. */
  keyOf(row: EnvelopeRow, projectId: number, crc: number): string {
    return (
      projectId.toString(36).padStart(4, '0') +
      (row.hasMadeId ? '' : (row.eventId ?? '')).padStart(32, '0') +
      (row.itemsHash ?? itemsHash(row, row.stored, crc))
    );
  }

  /** Whether this key is known; from now on it is. */
  isRepeat(key: string): boolean {
    if (this.#keys.has(key) || this.#open.has(key)) return true;
    this.#open.add(key);
    return false;
  }

  /** Takes back what {@link isRepeat} noted of an envelope that was not taken after all. */
  forget(key: string): void {
    this.#open.delete(key);
  }

  /** Writes the keys of the transaction under way, and drops those that are too old or too many. */
  flush(nowMs: number): void {
    if (this.#open.size === 0) return;
    const keys = Buffer.from([...this.#open].join(''), 'latin1');
    const { lastInsertRowid } = this.#insert.run(nowMs, keys);
    this.#written = { id: Number(lastInsertRowid), batch: { atMs: nowMs, count: this.#open.size } };
    const last = this.#surplus(nowMs).at(-1);
    if (last !== undefined) this.#remove.run(last);
  }

  /** The transaction is on the disk. */
  commit(): void {
    if (this.#written === undefined) return;
    const { id, batch } = this.#written;
    for (const old of this.#surplus(batch.atMs)) this.#drop(old);
    for (const key of this.#open) this.#keys.add(key);
    this.#batches.set(id, batch);
    this.rollback();
  }

  /** The transaction was rolled back. */
  rollback(): void {
    this.#open = new Set();
    this.#written = undefined;
  }

  /** Rows of the batches to drop, oldest first. */
  #surplus(nowMs: number): readonly number[] {
    let surplus = this.#keys.size + this.#open.size - this.#limits.maxKeys;
    const old: number[] = [];
    for (const [id, { atMs, count }] of this.#batches) {
      if (surplus <= 0 && atMs >= nowMs - this.#limits.maxAgeMs) break;
      surplus -= count;
      old.push(id);
    }
    return old;
  }

  #drop(id: number): void {
    let count = this.#batches.get(id)?.count ?? 0;
    this.#batches.delete(id);
    for (const key of this.#keys) {
      if (count === 0) break;
      this.#keys.delete(key);
      count -= 1;
    }
  }
}

interface Batch {
  readonly atMs: number;
  readonly count: number;
}
