import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { Fate } from '../outcome/outcome.ts';
import type { EnvelopeRow } from './packed-envelopes.ts';
import { lockDirectory } from './spool-lock.ts';
import {
  type Claim,
  FATES,
  type SettledEnvelope,
  type SpoolCounts,
  type SpoolLimits,
  worseFate,
} from './spool-messages.ts';
import type { EnvelopeSource } from './spooled-envelope.ts';
import { openSpoolDatabase } from './spool-schema.ts';
import { Watermark } from './watermark.ts';

/**
 * The spool on disk: what is appended here and committed survives kill -9 and power loss. Runs in the spool's
 * worker thread only, because node:sqlite is synchronous. It must never answer for a row that is not fsynced,
 * and never delete one whose sinks have not all settled.
 */

/** The cap on disk is reached; the envelope was not taken. */
export class SpoolFull extends Error {
  constructor() {
    super('spool is full');
    this.name = 'SpoolFull';
  }
}

interface Row {
  readonly id: number;
  readonly project: string;
  readonly source: EnvelopeSource;
  readonly class: number;
  readonly received_at_ms: number;
  readonly event_id: string | null;
  readonly sender: string;
  readonly header: Uint8Array;
  readonly items: Uint8Array;
  readonly pending: number;
  readonly crc: number;
}

export class SpoolFile {
  readonly #lock: DatabaseSync;
  readonly #database: DatabaseSync;
  readonly #watermark: Watermark;
  readonly #insert: StatementSync;
  readonly #claim: StatementSync;
  readonly #remove: StatementSync;
  readonly #settle: StatementSync;
  readonly #count: StatementSync;
  /** Acknowledged envelopes that a damaged file no longer has, found at opening. */
  readonly lostAtOpen: number;

  /**
   * Opens or makes `spool.db` in `directory`, alone.
   *
   * @throws SpoolLocked when another process has the directory; the file system's error when it is not writable.
   */
  constructor(directory: string, limits: SpoolLimits) {
    mkdirSync(directory, { recursive: true });
    this.#lock = lockDirectory(directory);
    this.#database = openSpoolDatabase(join(directory, 'spool.db'), limits);
    this.#watermark = new Watermark(join(directory, 'spool.watermark'));
    this.lostAtOpen = Math.max(0, this.#watermark.read() - this.#lastId());
    this.#watermark.write(this.#lastId());
    this.#insert = this.#database.prepare(
      `INSERT INTO envelope (project, source, class, received_at_ms, event_id, sender, header, items, pending, crc)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#claim = this.#database.prepare(
      `SELECT id, project, source, class, received_at_ms, event_id, sender, header, items, pending, crc
       FROM envelope WHERE id > ? AND pending & ? AND (? IS NULL OR project = ?) ORDER BY id LIMIT ?`,
    );
    this.#remove = this.#database.prepare(
      'DELETE FROM envelope WHERE id = ? AND pending & ~? = 0 RETURNING fate',
    );
    this.#settle = this.#database.prepare(
      'UPDATE envelope SET pending = pending & ~?, fate = max(fate, ?) WHERE id = ?',
    );
    this.#count = this.#database.prepare('UPDATE ledger SET count = count + ? WHERE fate = ?');
  }

  /**
   * Runs appends and settlements in one transaction and returns once it is on the disk.
   *
   * @returns the ids of the appended envelopes, in their order.
   * @throws SpoolFull when the cap is reached: nothing of the call was kept.
   */
  commit(appends: readonly EnvelopeRow[], settled: readonly SettledEnvelope[]): readonly number[] {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const ids = appends.map((envelope) => this.#append(envelope));
      if (ids.length > 0) this.#count.run(ids.length, 'accepted');
      this.#settleAll(settled);
      this.#database.exec('COMMIT');
      const last = ids.at(-1);
      if (last !== undefined) this.#watermark.write(last);
      return ids;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      if (error instanceof Error && /full/i.test(error.message)) throw new SpoolFull();
      throw error;
    }
  }

  /** The next envelopes after `afterId` that a sink has yet to settle; rows whose bytes rotted are reported apart. */
  claim(claim: Claim): {
    readonly envelopes: readonly EnvelopeRow[];
    readonly rotten: readonly number[];
  } {
    const { afterId, bit, project, limit, maxBytes } = claim;
    const envelopes: EnvelopeRow[] = [];
    const rotten: number[] = [];
    let taken = 0;
    for (const row of this.#claim.iterate(afterId, bit, project, project, limit) as Iterable<Row>) {
      if (checksum(row.header, row.items) !== row.crc) {
        rotten.push(row.id);
        continue;
      }
      taken += row.header.length + row.items.length;
      if (taken > maxBytes && envelopes.length > 0) break;
      envelopes.push(fromRow(row));
    }
    return { envelopes, rotten };
  }

  /** How much lies here, and the ledger as the transactions counted it. */
  counts(): SpoolCounts {
    const held = this.#database
      .prepare('SELECT count(*) AS held, min(received_at_ms) AS oldest FROM envelope')
      .get() as { held: number; oldest: number | null };
    const ledger = this.#database.prepare('SELECT fate, count FROM ledger').all() as {
      fate: string;
      count: number;
    }[];
    const pages = this.#database.prepare('PRAGMA page_count').get() as { page_count: number };
    const free = this.#database.prepare('PRAGMA freelist_count').get() as { freelist_count: number };
    const size = this.#database.prepare('PRAGMA page_size').get() as { page_size: number };
    return {
      held: held.held,
      oldestReceivedAtMs: held.oldest,
      usedBytes: (pages.page_count - free.freelist_count) * size.page_size,
      ledger: Object.fromEntries(ledger.map((row) => [row.fate, row.count])),
    };
  }

  /** Moves the write-ahead log into the database; a short log bounds what one damaged bit can take. */
  checkpoint(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.checkpoint();
    this.#database.close();
    this.#watermark.close();
    this.#lock.close();
  }

  #append(envelope: EnvelopeRow): number {
    const { header, items } = envelope;
    const { lastInsertRowid } = this.#insert.run(
      envelope.project,
      envelope.source,
      envelope.class,
      envelope.receivedAtMs,
      envelope.eventId,
      envelope.sender,
      header,
      items,
      envelope.pending,
      checksum(header, items),
    );
    return Number(lastInsertRowid);
  }

  #settleAll(settled: readonly SettledEnvelope[]): void {
    const counts = new Map<Fate, number>();
    for (const { id, bits, fate } of settled) {
      const gone = this.#remove.get(id, bits) as { fate: number } | undefined;
      if (gone === undefined) {
        this.#settle.run(bits, FATES.indexOf(fate), id);
        continue;
      }
      const end = worseFate(fate, FATES[gone.fate] ?? fate);
      counts.set(end, (counts.get(end) ?? 0) + 1);
    }
    for (const [fate, count] of counts) this.#count.run(count, fate);
  }

  #lastId(): number {
    const row = this.#database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'envelope'").get() as
      { seq: number } | undefined;
    return row?.seq ?? 0;
  }
}

function fromRow(row: Row): EnvelopeRow {
  const { id, project, source, sender, header, items, pending } = row;
  return {
    id,
    project,
    source,
    class: row.class,
    receivedAtMs: row.received_at_ms,
    eventId: row.event_id,
    sender,
    header,
    items,
    pending,
  };
}

function checksum(header: Uint8Array, items: Uint8Array): number {
  return crc32(items, crc32(header));
}
