import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { HASH_LENGTH, itemsHash } from '../protocol/items-hash.ts';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';
import type { SpoolLimits } from '../protocol/spool-messages.ts';
import { type Fingerprint, fingerprintOf, RecentKeys } from './recent-keys.ts';

/** How far apart the commits of one batch may be. */
const BATCH_MS = 1_000;
/** Share of all keys in one batch at most: so many are forgotten at once, before their time. */
const BATCH_SHARE = 0.01;
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
  readonly #keys = new RecentKeys();
  /** Oldest first; the first ones of `#keys` are theirs. */
  readonly #batches: Batch[] = [];
  #open = new Map<string, Fingerprint>();
  #written: Batch | undefined;

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
      for (let at = 0; at < text.length; at += KEY_LENGTH)
        this.#keys.add(fingerprintOf(text.slice(at, at + KEY_LENGTH)));
      this.#note({ id, atMs, count: text.length / KEY_LENGTH });
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
    if (this.#open.has(key)) return true;
    const fingerprint = fingerprintOf(key);
    if (this.#keys.has(fingerprint)) return true;
    this.#open.set(key, fingerprint);
    return false;
  }

  /** Takes back what {@link isRepeat} noted of an envelope that was not taken after all. */
  forget(key: string): void {
    this.#open.delete(key);
  }

  /** Writes the keys of the transaction under way, and drops those that are too old or too many. */
  flush(nowMs: number): void {
    if (this.#open.size === 0) return;
    const keys = Buffer.from([...this.#open.keys()].join(''), 'latin1');
    const { lastInsertRowid } = this.#insert.run(nowMs, keys);
    this.#written = { id: Number(lastInsertRowid), atMs: nowMs, count: this.#open.size };
    const last = this.#batches[this.#surplus(nowMs) - 1];
    if (last !== undefined) this.#remove.run(last.id);
  }

  /** The transaction is on the disk. */
  commit(): void {
    if (this.#written === undefined) return;
    const dropped = this.#batches.splice(0, this.#surplus(this.#written.atMs));
    this.#keys.drop(dropped.reduce((sum, { count }) => sum + count, 0));
    for (const fingerprint of this.#open.values()) this.#keys.add(fingerprint);
    this.#note(this.#written);
    this.rollback();
  }

  /** The transaction was rolled back. */
  rollback(): void {
    this.#open = new Map();
    this.#written = undefined;
  }

  /** How many batches are to be dropped, oldest first. */
  #surplus(nowMs: number): number {
    let surplus = this.#keys.size + this.#open.size - this.#limits.maxKeys;
    let dropped = 0;
    for (const { atMs, count } of this.#batches) {
      if (surplus <= 0 && atMs >= nowMs - this.#limits.maxAgeMs) break;
      surplus -= count;
      dropped += 1;
    }
    return dropped;
  }

  /** Batches of about the same time are one: there are hundreds of commits a second. */
  #note(batch: Batch): void {
    const last = this.#batches.at(-1);
    const most = this.#limits.maxKeys * BATCH_SHARE;
    if (last === undefined || batch.atMs - last.atMs > BATCH_MS || last.count >= most) {
      this.#batches.push({ ...batch });
      return;
    }
    last.id = batch.id;
    last.count += batch.count;
  }
}

/** What is dropped at once: rows up to `id`, begun at `atMs`, of so many keys. */
interface Batch {
  id: number;
  readonly atMs: number;
  count: number;
}
