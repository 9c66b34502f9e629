import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32, gunzipSync } from 'node:zlib';
import type { EnvelopeClass } from '../../envelope/envelope-class.ts';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';
import { type EnvelopeSource, LIFETIMES } from '../../sink/queued-envelope.ts';
import type { Projects } from './projects.ts';
import { chargeOf, type Quota } from './quota.ts';

/** The small row of a queued envelope: all but its bytes. */
export interface Place {
  readonly id: number;
  readonly project: number;
  readonly class: EnvelopeClass;
  readonly lifetime: number;
  readonly receivedAtMs: number;
  readonly steadyAtMs: number | null;
  readonly pending: number;
  readonly charge: number;
  readonly fate: number;
  readonly reason: string;
}

/** The large row of a queued envelope: its bytes and the fields needed to deliver them. */
export interface Body {
  readonly source: EnvelopeSource;
  readonly eventId: string | null;
  readonly sender: string;
  readonly header: Uint8Array;
  readonly stored: Uint8Array;
  readonly isGzip: number;
  readonly crc: number;
}

/** The columns of {@link Place}. */
export const PLACE =
  'id, project, class, lifetime, received_at_ms AS receivedAtMs, steady_at_ms AS steadyAtMs, pending, charge, fate, reason';

/** Stores queued envelopes as two rows each: a small one for scans, a large one with the bytes. */
export class EnvelopeTable {
  readonly #projects: Projects;
  readonly #usage: Quota;
  readonly #insertPlace: StatementSync;
  readonly #insertBody: StatementSync;
  readonly #removeDone: StatementSync;
  readonly #removePlace: StatementSync;
  readonly #removeBody: StatementSync;
  readonly #place: StatementSync;
  readonly #body: StatementSync;
  readonly #update: StatementSync;

  constructor(database: DatabaseSync, projects: Projects, usage: Quota) {
    this.#projects = projects;
    this.#usage = usage;
    this.#insertPlace = database.prepare(
      `INSERT INTO envelope (id, project, class, lifetime, received_at_ms, steady_at_ms, queued_at_ms, pending, charge)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertBody = database.prepare(
      `INSERT INTO body (id, source, event_id, sender, header, stored, is_gzip, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#removeDone = database.prepare(
      'DELETE FROM envelope WHERE id = ? AND pending & ~? = 0 AND fate = 0 RETURNING class, charge',
    );
    this.#removePlace = database.prepare('DELETE FROM envelope WHERE id = ?');
    this.#removeBody = database.prepare('DELETE FROM body WHERE id = ?');
    this.#place = database.prepare(`SELECT ${PLACE} FROM envelope WHERE id = ?`);
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
    const charge = chargeOf(row);
    const lifetime = LIFETIMES.indexOf(row.lifetime);
    this.#insertPlace.run(
      id,
      projectId,
      row.class,
      lifetime,
      row.receivedAtMs,
      row.steadyAtMs,
      queuedAtMs,
      row.pending,
      charge,
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
    this.#usage.add(row.class, charge);
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
    this.#usage.add(Number(gone['class']), -Number(gone['charge']));
    return true;
  }

  place(id: number): Place | undefined {
    return this.#place.get(id) as unknown as Place | undefined;
  }

  body(id: number): Body | undefined {
    return this.#body.get(id) as unknown as Body | undefined;
  }

  remove({ id, class: rank, charge }: Pick<Place, 'id' | 'class' | 'charge'>): void {
    this.#removePlace.run(id);
    this.#removeBody.run(id);
    this.#usage.add(rank, -charge);
  }

  /** Saves the pending sinks and the worst outcome so far. */
  update({ id, pending, fate, reason }: Place, digest: string | null): void {
    this.#update.run(pending, fate, reason, digest, id);
  }

  /** Returns the row as it was appended, decompressed; undefined if its bytes are corrupt. */
  row(
    { id, project, class: rank, lifetime, receivedAtMs, steadyAtMs, pending }: Place,
    body: Body,
  ): EnvelopeRow | undefined {
    const items = checksum(body.header, body.stored) === body.crc ? itemsIfWhole(body) : undefined;
    if (items === undefined) return undefined;
    return {
      id,
      project: this.#projects.dsn(project),
      source: body.source,
      class: rank,
      lifetime: LIFETIMES[lifetime] ?? 'other',
      receivedAtMs,
      steadyAtMs,
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
export function itemsOf({ header, stored, isGzip }: Pick<Body, 'header' | 'stored' | 'isGzip'>): Uint8Array {
  return isGzip === 0 ? stored : gunzipSync(stored).subarray(header.length + 1);
}

/** Returns {@link itemsOf}, or undefined if the bytes are corrupt. */
export function itemsIfWhole(body: Body): Uint8Array | undefined {
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
}: Pick<Body, 'header' | 'stored' | 'isGzip'>): number {
  if (isGzip === 0) return header.length + stored.length;
  return new DataView(stored.buffer, stored.byteOffset, stored.byteLength).getUint32(stored.length - 4, true);
}

export function checksum(header: Uint8Array, stored: Uint8Array): number {
  return crc32(header, crc32(stored));
}
