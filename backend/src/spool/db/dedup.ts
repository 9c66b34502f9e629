import { hash } from 'node:crypto';
import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import { HASH_LENGTH, itemsHash } from '../protocol/items-hash.ts';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';
import type { SpoolLimits } from '../protocol/spool-messages.ts';

/** Longest time from the first to the last commit of a batch. */
const BATCH_MS = 1_000;
/** Largest share of all keys in one batch: a batch is dropped as a whole, so its newer keys are dropped early. */
const BATCH_SHARE = 0.01;
/** Characters of a key, one byte each: project, event id, hash of the items. */
const KEY_LENGTH = 4 + 32 + HASH_LENGTH;

/**
 * Recognises envelopes that were accepted before, so that a client's retry is acknowledged and not delivered twice.
 *
 * A repeat has the same project, kind of key, event id and bytes after the header line (a retry changes only `sent_at`). Envelopes
 * without an event id contain timestamps or other ids: equal bytes are a retry there too (protocol L5).
 * The keys of one commit are one row: a B-tree of random keys would double the pages that a commit writes.
 */
export class Dedup {
  readonly #limits: SpoolLimits['dedup'];
  readonly #insert: Statement;
  readonly #remove: Statement;
  /** Fingerprints, oldest first. */
  readonly #keys = new Set<string>();
  /** In the order of `#keys`. */
  readonly #batches: KeyBatch[] = [];
  #open = new Map<string, string>();
  #written: KeyBatch | undefined;

  constructor(database: TypedDatabase, limits: SpoolLimits['dedup']) {
    this.#limits = limits;
    this.#insert = database.prepare('INSERT INTO dedup (at_ms, keys) VALUES (?, ?)');
    this.#remove = database.prepare('DELETE FROM dedup WHERE id <= ?');
    const rows = database.prepare<{ readonly id: number; readonly atMs: number; readonly keys: Uint8Array }>(
      'SELECT id, at_ms AS atMs, keys FROM dedup ORDER BY id',
    );
    for (const { id, atMs, keys } of rows.all()) {
      const text = Buffer.from(keys).toString('latin1');
      for (let at = 0; at < text.length; at += KEY_LENGTH)
        this.#keys.add(fingerprintOf(text.slice(at, at + KEY_LENGTH)));
      this.#note({ id, atMs, count: text.length / KEY_LENGTH });
    }
  }

  /**
   * Builds the key of an envelope. With the public key no client can make a server's envelope a repeat.
   *
   * @param crc of `row.stored`.
   */
  keyOf(row: EnvelopeRow, projectId: number, crc: number): string {
    return (
      projectId.toString(36).padStart(4, row.source === 'tunnel' ? '0' : '-') +
      (row.hasMadeId ? '' : (row.eventId ?? '')).padStart(32, '0') +
      (row.itemsHash ?? itemsHash(row, row.stored, crc))
    );
  }

  /** Returns whether the key is known, and adds it if not. */
  isRepeat(key: string): boolean {
    if (this.#open.has(key)) return true;
    const fingerprint = fingerprintOf(key);
    if (this.#keys.has(fingerprint)) return true;
    this.#open.set(key, fingerprint);
    return false;
  }

  /** Removes the key that {@link isRepeat} added for an envelope that was then refused. */
  forget(key: string): void {
    this.#open.delete(key);
  }

  /** Writes the keys of the current transaction and deletes those that are too old or too many. */
  flush(nowMs: number): void {
    if (this.#open.size === 0) return;
    const keys = Buffer.from([...this.#open.keys()].join(''), 'latin1');
    const { lastInsertRowid } = this.#insert.run(nowMs, keys);
    this.#written = { id: Number(lastInsertRowid), atMs: nowMs, count: this.#open.size };
    const last = this.#batches[this.#surplus(nowMs) - 1];
    if (last !== undefined) this.#remove.run(last.id);
  }

  /** Applies the changes of the transaction to the keys in memory. */
  commit(): void {
    if (this.#written === undefined) return;
    const dropped = this.#batches.splice(0, this.#surplus(this.#written.atMs));
    this.#drop(dropped.reduce((sum, { count }) => sum + count, 0));
    for (const fingerprint of this.#open.values()) this.#keys.add(fingerprint);
    this.#note(this.#written);
    this.rollback();
  }

  /** Discards the keys of the current transaction. */
  rollback(): void {
    this.#open = new Map();
    this.#written = undefined;
  }

  /** Drops the oldest keys. */
  #drop(count: number): void {
    let left = count;
    for (const key of this.#keys) {
      if (left === 0) return;
      this.#keys.delete(key);
      left -= 1;
    }
  }

  /** Returns how many batches, oldest first, exceed the limits. */
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

  /** Adds a batch, merging it with the last one if close in time: there are hundreds of commits a second. */
  #note(batch: KeyBatch): void {
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

/** Returns a key as it is in memory: shorter, and without a collision that a client can construct. */
function fingerprintOf(key: string): string {
  return hash('sha256', key, 'latin1');
}

/** Keys that are dropped together: those of the rows up to `id`; the first was written at `atMs`. */
interface KeyBatch {
  id: number;
  readonly atMs: number;
  count: number;
}
