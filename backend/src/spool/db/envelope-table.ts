import { sqliteCode } from '../../sqlite/database-file.ts';
import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import { crc32, gunzipSync } from 'node:zlib';
import type { EnvelopeClass } from '../../envelope/envelope-class.ts';
import { diskBytesOf } from '../protocol/disk-bytes.ts';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';
import { type EnvelopeSource, LIFETIMES, type SpooledBytes } from '../../sink/queued-envelope.ts';
import type { Projects } from './projects.ts';
import type { Quota } from './quota.ts';

/** The types of a table refuse the value: https://sqlite.org/rescode.html#constraint */
const SQLITE_CONSTRAINT = 19;
/** Last bytes of a gzip stream: https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1 */
const ISIZE_BYTES = 4;

/** An envelope in the spool's file: both rows of a queued one, or a dead letter. */
export interface StoredEnvelope extends SpooledBytes {
  readonly project: number;
  readonly class: EnvelopeClass;
  readonly lifetime: number;
  readonly pending: number;
  readonly source: EnvelopeSource;
  readonly sender: string;
  /** Null for a dead letter, as is `crc`. */
  readonly monotonicAtMs: number | null;
  readonly crc: number | null;
}

/** Columns of {@link StoredEnvelope} that queued envelopes and dead letters have. */
export const STORED_COLUMNS =
  'id, project, class, lifetime, pending, received_at_ms AS receivedAtMs, source, event_id AS eventId, sender, header, stored, is_gzip AS isGzip';

/** The sinks that have yet to settle a queued envelope, and its worst outcome so far. */
interface EnvelopeState {
  readonly pending: number;
  readonly fate: number;
  readonly reason: string;
}

interface RemovedEntry {
  readonly class: EnvelopeClass;
  readonly diskBytes: number;
}

/** As floats: Node throws for an integer above 2^53, which a damaged page may have. */
const REMOVED = 'RETURNING 0.0 + class AS class, 0.0 + disk_bytes AS diskBytes';

/** Stores queued envelopes as two rows each: a small one for scans, a large one with the bytes. */
export class EnvelopeTable {
  readonly #projects: Projects;
  readonly #quota: Quota;
  readonly #insertEntry: Statement;
  readonly #insertBody: Statement;
  readonly #removeDone: Statement<RemovedEntry>;
  readonly #removeEntry: Statement<RemovedEntry>;
  readonly #removeBody: Statement;
  readonly #state: Statement<EnvelopeState>;
  readonly #stored: Statement<StoredEnvelope>;
  readonly #update: Statement;
  readonly #settle: Statement;

  constructor(database: TypedDatabase, projects: Projects, quota: Quota) {
    this.#projects = projects;
    this.#quota = quota;
    this.#insertEntry = database.prepare(
      `INSERT INTO envelope (id, project, class, lifetime, received_at_ms, monotonic_at_ms, queued_at_ms, pending, disk_bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertBody = database.prepare(
      `INSERT INTO body (id, source, event_id, sender, header, stored, is_gzip, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#removeDone = database.prepare(
      `DELETE FROM envelope WHERE id = ? AND pending & ~? = 0 AND fate = 0 ${REMOVED}`,
    );
    this.#removeEntry = database.prepare(`DELETE FROM envelope WHERE id = ? ${REMOVED}`);
    this.#removeBody = database.prepare('DELETE FROM body WHERE id = ?');
    this.#state = database.prepare('SELECT pending, fate, reason FROM envelope WHERE id = ?');
    this.#stored = database.prepare(
      `SELECT ${STORED_COLUMNS}, monotonic_at_ms AS monotonicAtMs, crc FROM envelope JOIN body USING (id) WHERE id = ?`,
    );
    this.#update = database.prepare('UPDATE envelope SET pending = ?, fate = ?, reason = ? WHERE id = ?');
    this.#settle = database.prepare(
      `UPDATE envelope SET pending = pending & ~?, digest = coalesce(?, digest)
       WHERE id = ? AND pending & ~? <> 0`,
    );
  }

  /** Inserts an envelope. @param queuedAtMs start of its age. @param crc of `row.stored`. */
  insert(id: number, projectId: number, row: EnvelopeRow, queuedAtMs: number, crc: number): void {
    const { header, stored } = row;
    const diskBytes = diskBytesOf(row);
    const lifetime = LIFETIMES.indexOf(row.lifetime);
    this.#insertEntry.run(
      id,
      projectId,
      row.class,
      lifetime,
      row.receivedAtMs,
      row.monotonicAtMs,
      queuedAtMs,
      row.pending,
      diskBytes,
    );
    this.#insertBody.run(
      id,
      row.source,
      row.eventId,
      row.sender,
      header,
      stored,
      row.isGzip ? 1 : 0,
      crc32(header, crc),
    );
    this.#quota.add(row.class, diskBytes);
  }

  /**
   * Removes an envelope when these bits are the last ones pending and no sink lost it.
   *
   * @returns whether it was removed.
   */
  removeIfDelivered(id: number, bits: number): boolean {
    return this.#removed(id, this.#removeDone.get(id, bits));
  }

  /**
   * Removes bits of sinks that accepted an envelope, when others are left.
   *
   * @returns whether the envelope is there and others are left.
   */
  settleIfPending(id: number, bits: number, digest: string | null): boolean {
    return this.#settle.run(bits, digest, id, bits).changes !== 0;
  }

  /** Removes an envelope. @returns whether it existed. */
  remove(id: number): boolean {
    return this.#removed(id, this.#removeEntry.get(id));
  }

  state(id: number): EnvelopeState | undefined {
    return this.#state.get(id);
  }

  /** Returns an envelope; undefined if it is missing, or one of its values is not of its type. */
  stored(id: number): StoredEnvelope | undefined {
    const envelope = ifReadable(() => this.#stored.get(id));
    return envelope !== undefined && hasTypes(envelope) ? envelope : undefined;
  }

  update(id: number, { pending, fate, reason }: EnvelopeState): void {
    this.#update.run(pending, fate, reason, id);
  }

  /** Returns the row as it was appended, decompressed; undefined if its bytes are corrupt. */
  row(envelope: StoredEnvelope | undefined): EnvelopeRow | undefined {
    if (envelope === undefined) return undefined;
    const items = isIntact(envelope) ? itemsIfWhole(envelope) : undefined;
    if (items === undefined) return undefined;
    return { ...rowFrom(envelope, this.#projects), stored: items, isGzip: false };
  }

  #removed(id: number, entry: RemovedEntry | undefined): boolean {
    if (entry === undefined) return false;
    this.#removeBody.run(id);
    this.#quota.add(entry.class, -entry.diskBytes);
    return true;
  }
}

/**
 * Returns the result of `work`; undefined where a value of a damaged row makes it fail.
 *
 * @throws errors of the whole file.
 */
export function ifReadable<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const code = sqliteCode(error);
    if (code !== undefined && code !== SQLITE_CONSTRAINT) throw error;
    return undefined;
  }
}

/** A damaged cell may have another type, in a table of strict types too. */
function hasTypes({ header, stored, sender, eventId }: StoredEnvelope): boolean {
  const isText = typeof sender === 'string' && (eventId === null || typeof eventId === 'string');
  return isText && header instanceof Uint8Array && stored instanceof Uint8Array;
}

/** Converts a stored envelope into a row, its bytes unchanged. */
export function rowFrom(envelope: StoredEnvelope, projects: Projects): EnvelopeRow {
  const { id, receivedAtMs, monotonicAtMs, eventId, source, sender, header, stored, pending } = envelope;
  return {
    id,
    project: projects.dsn(envelope.project),
    source,
    class: envelope.class,
    lifetime: LIFETIMES[envelope.lifetime] ?? 'other',
    receivedAtMs,
    monotonicAtMs,
    eventId,
    hasMadeId: false,
    sender,
    header,
    stored,
    isGzip: envelope.isGzip === 1,
    pending,
    itemsHash: null,
  };
}

/** Returns the items of a stored envelope as they were received. @throws when compressed bytes are corrupt. */
export function itemsOf({ header, stored, isGzip }: SpooledBytes): Uint8Array {
  return isGzip === 0 ? stored : gunzipSync(stored).subarray(header.length + 1);
}

/** Returns {@link itemsOf}, or undefined if the bytes are corrupt. */
export function itemsIfWhole(envelope: SpooledBytes): Uint8Array | undefined {
  try {
    return itemsOf(envelope);
  } catch {
    return undefined;
  }
}

/** Returns the decompressed size of an envelope without decompressing it (RFC 1952, ISIZE). */
export function unpackedBytes({ header, stored, isGzip }: SpooledBytes): number {
  if (isGzip === 0) return header.length + stored.length;
  if (stored.length < ISIZE_BYTES) return 0;
  return new DataView(stored.buffer, stored.byteOffset, stored.byteLength).getUint32(
    stored.length - ISIZE_BYTES,
    true,
  );
}

/** Returns whether the bytes are those that were inserted. */
export function isIntact({ header, stored, crc }: StoredEnvelope): boolean {
  return crc32(header, crc32(stored)) === crc;
}
