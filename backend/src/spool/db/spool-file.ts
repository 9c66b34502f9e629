/*
 * The durable queue on disk, the worker's side of the spool. It keeps `spool.db`: envelopes, ledger, dead letters,
 * quota, eviction. A committed append survives `kill -9` and power loss. The folder runs only in the spool's worker
 * thread, because node:sqlite is synchronous. It must never confirm a row that is not fsynced, never delete a row
 * before all its sinks have settled it, and never parse envelopes in bulk: appends wait for this thread.
 */
import { crc32 } from 'node:zlib';
import type { DatabaseSync } from 'node:sqlite';
import { diskBytesOf } from '../protocol/disk-bytes.ts';
import { type EnvelopeRow, pack, unpack } from '../protocol/packed-envelopes.ts';
import {
  type ReadyQuery,
  type ReadyBatch,
  type CommitWork,
  type Committed,
  type DiscardedBatch,
  DUPLICATE,
  type ErasureTarget,
  EXPIRE_BATCH,
  NO_ROOM,
  type RejectingCause,
  type Opened,
  type SpoolCounts,
  type SpoolLimits,
} from '../protocol/spool-messages.ts';
import { freeBytes } from '../../sqlite/disk-space.ts';
import type { TypedDatabase } from '../../sqlite/typed-database.ts';
import { monotonicNowMs } from '../../time/monotonic-clock.ts';
import { type DiskReserve, tryCheckpoint, withRoom } from './disk-reserve.ts';
import { ReadyEnvelopes } from './ready-envelopes.ts';
import { countSpool } from './counts.ts';
import { EventTraces } from './event-traces.ts';
import { Erasures } from './erasures.ts';
import { reportRow } from './discards.ts';
import { limitTables, openTables } from './open-tables.ts';
import type { Tables } from './tables.ts';

/** Options of an insert. */
interface Insertion {
  /** CRC-32 of `stored`; computed if absent. */
  readonly crc?: number;
  readonly reason?: '' | 'redriven';
  /** Start of its age, wall clock; by default the time it was received. */
  readonly queuedAtMs?: number;
}

/** Holds the spool's tables and runs each request of the main thread in one transaction. */
export class SpoolFile {
  readonly opened: Opened;
  readonly tables: Tables;
  readonly traces: EventTraces;
  readonly erasures: Erasures;
  #limits: SpoolLimits;
  readonly #lock: DatabaseSync;
  readonly #database: TypedDatabase;
  readonly #diskReserve: DiskReserve;
  readonly #ready: ReadyEnvelopes;

  /**
   * Opens or creates `spool.db` in `directory` and locks the directory.
   *
   * @param isDamaged whether an earlier thread met damage in the file.
   *
   * @throws SpoolLocked when another process uses the directory; Error when the disk is full or not writable.
   */
  constructor(directory: string, limits: SpoolLimits, free = freeBytes, isDamaged = false) {
    const { lock, database, tables, diskReserve, rescued } = openTables(directory, limits, free, isDamaged);
    this.#limits = limits;
    this.#lock = lock;
    this.#database = database;
    this.tables = tables;
    this.#diskReserve = diskReserve;
    this.#ready = new ReadyEnvelopes(this.#database, this.tables.envelopes, this.tables.projects);
    this.traces = new EventTraces(this.#database, this.tables);
    this.erasures = new Erasures(this.#database, this.tables);
    const { lastId, identity } = tables.sequence;
    const lost = tables.sequence.lost === null ? null : tables.sequence.lost + (rescued?.lost ?? 0);
    const rateLimits = tables.rateLimits.load(Date.now());
    this.opened = {
      moved: rescued?.moved ?? null,
      lost,
      lastId,
      identity,
      fill: tables.quota.fill,
      rateLimits,
    };
  }

  /**
   * Writes everything in one transaction and returns once it is fsynced (spool-schema.ts). Settlements come first: new envelopes reuse
   * the pages of delivered ones, so that a spool that keeps up does not grow.
   *
   * @throws SpoolFull when the disk has no room even for the settlements.
   */
  commit(work: CommitWork, nowMs: number = Date.now()): Committed {
    const appends = unpack(work.appends);
    const withoutAppends = (): Committed => this.#write(work, [], appends.length, nowMs);
    if (appends.length > 0 && !this.#diskReserve.hasRoom()) return withoutAppends();
    return withRoom(
      () => this.#write(work, appends, 0, nowMs),
      () => this.#diskReserve.release(),
      withoutAppends,
    );
  }

  /** Sets other limits, from the next transaction on. */
  limit(limits: SpoolLimits): void {
    this.#limits = limits;
    limitTables({ database: this.#database, tables: this.tables }, limits);
  }

  /** Why a new error would be refused now, or null; known without a commit. */
  get rejecting(): RejectingCause | null {
    if (!this.#diskReserve.hasRoom()) return 'disk_full';
    return this.tables.eviction.refusesErrors ? 'spool_full' : null;
  }

  /** Returns the next envelopes that a sink has yet to settle; corrupt rows become dead letters. */
  readyEnvelopes(query: ReadyQuery): ReadyBatch {
    const { rows, cursors, corrupt } = this.#ready.find(query);
    const nowMs = Date.now();
    if (corrupt.length > 0) {
      this.#transactAtAnyRate(() => {
        for (const id of corrupt) this.tables.settlements.addCorrupt(id, nowMs);
      }, nowMs);
    }
    return { envelopes: pack(rows), cursors, corrupt };
  }

  /** Counts the rows, and returns the ledger as the transactions wrote it. */
  counts(): SpoolCounts {
    return countSpool(this.#database, this.tables, this.#limits.maxAgeMs);
  }

  /** Removes envelopes and dead letters that are too old. */
  expire(nowMs: number): { readonly expired: number } {
    const expired = this.#transactAtAnyRate(() => {
      this.tables.deadLetters.removeOld(nowMs);
      return this.tables.settlements.expire(this.#limits.maxAgeMs, {
        wallMs: nowMs,
        monotonicMs: monotonicNowMs(),
      });
    }, nowMs);
    return { expired };
  }

  /** Appends the client reports that are due. @param projects those with an upstream that accepts envelopes now. */
  report(projects: readonly string[], nowMs: number): { readonly lastId: number } {
    this.tables.transact(() => {
      const ids = projects.map((project) => this.tables.projects.find(project));
      for (const { project, discards } of this.tables.discards.take(
        new Set(ids.filter((id) => id !== undefined)),
      )) {
        this.#insert(reportRow(this.tables.projects.dsn(project), discards, nowMs));
      }
    }, nowMs);
    return { lastId: this.tables.sequence.lastId };
  }

  /**
   * Queues dead letters again for the sinks that refused them; those that cannot be sent, or have no room in the
   * spool, stay. Each counts as accepted again: its first outcome stays counted, and the first row may still wait for
   * the store.
   */
  redrive(
    ids: readonly number[],
    nowMs: number = Date.now(),
  ): { readonly redriven: number; readonly lastId: number } {
    const redriven = this.tables.transact(() => {
      const { deadLetters } = this.tables;
      const sent = ids.filter((id) => {
        const letter = deadLetters.find(id);
        if (letter === undefined || !this.tables.eviction.makeRoom(letter.class, diskBytesOf(letter)))
          return false;
        deadLetters.takeOut(id);
        this.#insert(letter, { reason: 'redriven', queuedAtMs: nowMs });
        return true;
      });
      return sent.length;
    }, nowMs);
    return { redriven, lastId: this.tables.sequence.lastId };
  }

  /** Deletes dead letters; the ledger keeps their count. */
  discard(ids: readonly number[], nowMs: number = Date.now()): { readonly discarded: number } {
    const remove = (): number => ids.filter((id) => this.tables.deadLetters.discard(id, nowMs)).length;
    return { discarded: this.tables.transact(remove, nowMs) };
  }

  /** Discards the next {@link EXPIRE_BATCH} envelopes above an id that wait for the upstream of a project. */
  discardWaiting(project: string, afterId: number, nowMs: number = Date.now()): DiscardedBatch {
    const number = this.tables.projects.find(project);
    if (number === undefined) return { discarded: 0, next: null };
    const discard = () => this.tables.settlements.discardWaiting(number, afterId, nowMs);
    const ids = this.#transactAtAnyRate(discard, nowMs);
    return { discarded: ids.length, next: ids.length < EXPIRE_BATCH ? null : (ids.at(-1) ?? null) };
  }

  /** Erases envelopes, or dead letters, and returns the ids that existed. */
  erase({ from, ids }: ErasureTarget, nowMs: number = Date.now()): readonly number[] {
    const remove = from === 'queued' ? 'removeQueued' : 'removeDead';
    return this.#transactAtAnyRate(() => this.erasures[remove](ids, nowMs), nowMs);
  }

  /** Empties the write-ahead log after an erasure: until then it still contains the deleted bytes. */
  truncateWal(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    tryCheckpoint(this.#database, 'TRUNCATE');
    this.#database.close();
    this.tables.sequence.close();
    this.#lock.close();
  }

  /** Runs {@link Tables.transact}; on a full disk it deletes the disk reserve and tries once more. */
  #transactAtAnyRate<T>(work: () => T, nowMs: number): T {
    return withRoom(
      () => this.tables.transact(work, nowMs),
      () => this.#diskReserve.release(),
    );
  }

  /** @param refused number of appends that are left out, as there is no room for them. */
  #write(work: CommitWork, appends: readonly EnvelopeRow[], refused: number, nowMs: number): Committed {
    if (work.delivered.digests.length > 0) this.tables.eviction.rescan();
    const { ids, ...written } = this.tables.transact(
      () => ({
        ...this.tables.write(work, nowMs),
        ids: appends.map((row) => this.#append(row)),
      }),
      nowMs,
    );
    const noRoom = Array.from({ length: refused }, () => NO_ROOM);
    const fill = refused > 0 ? 1 : this.tables.quota.fill;
    return { ids: [...ids, ...noRoom], ...written, fill, rejecting: this.rejecting };
  }

  #append(row: EnvelopeRow): number {
    const { projects, dedup } = this.tables;
    const crc = crc32(row.stored);
    const key = dedup.keyOf(row, projects.id(row.project), crc);
    if (dedup.isRepeat(key)) return DUPLICATE;
    if (this.tables.eviction.makeRoom(row.class, diskBytesOf(row))) return this.#insert(row, { crc });
    dedup.forget(key);
    return NO_ROOM;
  }

  #insert(
    row: EnvelopeRow,
    { crc = crc32(row.stored), reason = '', queuedAtMs = row.receivedAtMs }: Insertion = {},
  ): number {
    const id = this.tables.sequence.next();
    this.tables.envelopes.insert(id, this.tables.projects.id(row.project), row, queuedAtMs, crc);
    this.tables.ledger.count('accepted', reason, 1);
    return id;
  }
}
