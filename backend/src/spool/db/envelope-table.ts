import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32, gunzipSync } from 'node:zlib';
import type { EnvelopeClass } from '../../envelope/envelope-class.ts';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';
import { type EnvelopeSource, LIFETIMES } from '../../sink/queued-envelope.ts';
import type { Projects } from './projects.ts';
import { diskBytesOf, type Quota } from './quota.ts';

/** The small row of a queued envelope: all but its bytes. */
export interface EnvelopeEntry {
  readonly id: number;
  readonly project: number;
  readonly class: EnvelopeClass;
  readonly lifetime: number;
  readonly receivedAtMs: number;
  readonly monotonicAtMs: number | null;
  readonly pending: number;
  readonly diskBytes: number;
  readonly fate: number;
  readonly reason: string;
}

/** The large row of a queued envelope: its bytes and the fields needed to deliver them. */
export interface StoredBody {
  readonly source: EnvelopeSource;
  readonly eventId: string | null;
  readonly sender: string;
  readonly header: Uint8Array;
  readonly stored: Uint8Array;
  readonly isGzip: number;
  readonly crc: number;
}

/** The columns of {@link EnvelopeEntry}. */
export const ENTRY_COLUMNS =
  'id, project, class, lifetime, received_at_ms AS receivedAtMs, monotonic_at_ms AS monotonicAtMs, pending, disk_bytes AS diskBytes, fate, reason';

/** Stores queued envelopes as two rows each: a small one for scans, a large one with the bytes. */
export class EnvelopeTable {
  readonly #projects: Projects;
  readonly #quota: Quota;
  readonly #insertEntry: StatementSync;
  readonly #insertBody: StatementSync;
  readonly #removeDone: StatementSync;
  readonly #removeEntry: StatementSync;
  readonly #removeBody: StatementSync;
  readonly #entry: StatementSync;
  readonly #body: StatementSync;
  readonly #update: StatementSync;

  constructor(database: DatabaseSync, projects: Projects, quota: Quota) {
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
      'DELETE FROM envelope WHERE id = ? AND pending & ~? = 0 AND fate = 0 RETURNING class, disk_bytes AS diskBytes',
    );
    this.#removeEntry = database.prepare('DELETE FROM envelope WHERE id = ?');
    this.#removeBody = database.prepare('DELETE FROM body WHERE id = ?');
    this.#entry = database.prepare(`SELECT ${ENTRY_COLUMNS} FROM envelope WHERE id = ?`);
    this.#body = database.prepare(
      `SELECT source, event_id AS eventId, sender, header, stored, is_gzip AS isGzip, crc FROM body WHERE id = ?`,
    );
    this.#update = database.prepare(
      'UPDATE envelope SET pending = ?, fate = ?, reason = ?, digest = coalesce(?, digest) WHERE id = ?',
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
    const gone = this.#removeDone.get(id, bits);
    if (gone === undefined) return false;
    this.#removeBody.run(id);
    this.#quota.add(Number(gone['class']), -Number(gone['diskBytes']));
    return true;
  }

  entry(id: number): EnvelopeEntry | undefined {
    return this.#entry.get(id) as unknown as EnvelopeEntry | undefined;
  }

  body(id: number): StoredBody | undefined {
    return this.#body.get(id) as unknown as StoredBody | undefined;
  }

  remove({ id, class: envelopeClass, diskBytes }: Pick<EnvelopeEntry, 'id' | 'class' | 'diskBytes'>): void {
    this.#removeEntry.run(id);
    this.#removeBody.run(id);
    this.#quota.add(envelopeClass, -diskBytes);
  }

  /** Saves the pending sinks and the worst outcome so far. */
  update({ id, pending, fate, reason }: EnvelopeEntry, digest: string | null): void {
    this.#update.run(pending, fate, reason, digest, id);
  }

  /** Returns the row as it was appended, decompressed; undefined if its bytes are corrupt. */
  row(
    { id, project, class: envelopeClass, lifetime, receivedAtMs, monotonicAtMs, pending }: EnvelopeEntry,
    body: StoredBody,
  ): EnvelopeRow | undefined {
    const items = checksum(body.header, body.stored) === body.crc ? itemsIfWhole(body) : undefined;
    if (items === undefined) return undefined;
    return {
      id,
      project: this.#projects.dsn(project),
      source: body.source,
      class: envelopeClass,
      lifetime: LIFETIMES[lifetime] ?? 'other',
      receivedAtMs,
      monotonicAtMs,
      eventId: body.eventId,
      hasMadeId: false,
      sender: body.sender,
      header: body.header,
      stored: items,
      isGzip: false,
      pending,
      itemsHash: null,
    };
  }
}

/** Returns the items of a stored envelope as they were received. @throws when compressed bytes are corrupt. */
export function itemsOf({
  header,
  stored,
  isGzip,
}: Pick<StoredBody, 'header' | 'stored' | 'isGzip'>): Uint8Array {
  return isGzip === 0 ? stored : gunzipSync(stored).subarray(header.length + 1);
}

/** Returns {@link itemsOf}, or undefined if the bytes are corrupt. */
export function itemsIfWhole(body: StoredBody): Uint8Array | undefined {
  try {
    return itemsOf(body);
  } catch {
    return undefined;
  }
}

/** Returns the decompressed size of an envelope without decompressing it (RFC 1952, ISIZE). */
export function unpackedBytes({
  header,
  stored,
  isGzip,
}: Pick<StoredBody, 'header' | 'stored' | 'isGzip'>): number {
  if (isGzip === 0) return header.length + stored.length;
  return new DataView(stored.buffer, stored.byteOffset, stored.byteLength).getUint32(stored.length - 4, true);
}

export function checksum(header: Uint8Array, stored: Uint8Array): number {
  return crc32(header, crc32(stored));
}
