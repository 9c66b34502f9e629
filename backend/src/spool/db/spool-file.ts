import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { DatabaseSync } from 'node:sqlite';
import { type EnvelopeRow, pack, unpack } from '../protocol/packed-envelopes.ts';
import {
  type Claim,
  type Claimed,
  type CommitWork,
  type Committed,
  type DeadLetter,
  DUPLICATE,
  type Erase,
  type Erased,
  type ErasureLook,
  type LookedThrough,
  NO_ROOM,
  type Opened,
  type OpenedDeadLetter,
  type SpoolCounts,
  type SpoolLimits,
} from '../protocol/spool-messages.ts';
import { monotonicNowMs } from '../../time/monotonic-clock.ts';
import { DiskReserve } from './disk-reserve.ts';
import { Claims } from './ready-envelopes.ts';
import { reportRow } from './client-report.ts';
import { countSpool } from './counts.ts';
import { Settlements } from './settle.ts';
import { EventTraces } from './find-event-status.ts';
import { Erasures } from './erasures.ts';
import { Eviction } from './eviction.ts';
import { identityOf } from './spool-id.ts';
import { Sequence } from './sequence.ts';
import { lockDirectory } from './lock-file.ts';
import { needRoom, withRoom } from './disk-full.ts';
import { openSpoolDatabase } from './spool-schema.ts';
import { Tables } from './tables.ts';
import { chargeOf } from './quota.ts';
import { writeWork } from './write-commit.ts';

/** Room beside the envelopes for the tables that are looked through, the keys of repeats, and the ledger. */
const OWN_BYTES = 16 * 2 ** 20;

/** How a row comes in. */
interface Insertion {
  /** Of `stored`, where it is known. */
  readonly crc?: number;
  readonly reason?: '' | 'redriven';
  /** From when on its age counts. */
  readonly queuedAtMs?: number;
}

/**
 * The spool on disk: what is appended here and committed survives kill -9 and power loss. Runs in the spool's
 * worker thread only, because node:sqlite is synchronous. It must never answer for a row that is not fsynced,
 * and never delete one whose sinks have not all settled.
 */
export class SpoolFile {
  readonly opened: Opened;
  readonly #limits: SpoolLimits;
  readonly #lock: DatabaseSync;
  readonly #database: DatabaseSync;
  readonly #diskReserve: DiskReserve;
  readonly #sequence: Sequence;
  readonly #tables: Tables;
  readonly #claims: Claims;
  readonly #ends: Settlements;
  readonly #eviction: Eviction;
  readonly #traces: EventTraces;
  readonly #erasures: Erasures;

  /**
   * Opens or makes `spool.db` in `directory`, alone.
   *
   * @throws SpoolLocked when another process has the directory; Error when the disk is full, or it is not writable.
   */
  constructor(directory: string, limits: SpoolLimits) {
    mkdirSync(directory, { recursive: true });
    this.#limits = limits;
    this.#lock = lockDirectory(directory);
    const fileBytes = limits.maxBytes + limits.deadLetters.maxBytes + OWN_BYTES;
    const diskReservePath = join(directory, 'spool.ballast');
    const open = () =>
      openSpoolDatabase(join(directory, 'spool.db'), fileBytes, (opened) => new Tables(opened, limits));
    const { database, value } = needRoom(directory, () =>
      withRoom(open, () => rmSync(diskReservePath, { force: true })),
    );
    this.#database = database;
    this.#tables = value;
    this.#diskReserve = new DiskReserve(diskReservePath, this.#database);
    this.#sequence = new Sequence(this.#database, join(directory, 'spool.watermark'));
    this.#claims = new Claims(this.#database, this.#tables.envelopes, this.#tables.projects);
    this.#ends = new Settlements(this.#database, this.#tables);
    this.#eviction = new Eviction(this.#database, this.#tables.usage, (victim) => this.#ends.shed(victim));
    this.#traces = new EventTraces(this.#database, this.#tables);
    this.#erasures = new Erasures(this.#database, this.#tables);
    const { lost, lastId } = this.#sequence;
    const identity = identityOf(this.#database, lost > 0);
    const rateLimits = this.#tables.rateLimits.load(Date.now());
    this.opened = { lost, lastId, identity, fill: this.#tables.usage.fill, limits: rateLimits };
  }

  /**
   * Writes everything in one transaction and returns once it is on the disk. Settlements come first: the pages of
   * what was delivered take what is new, so that a spool that keeps up does not grow.
   *
   * @throws SpoolFull when the disk has not even room for the settlements.
   */
  commit(work: CommitWork, nowMs: number = Date.now()): Committed {
    const appends = unpack(work.appends);
    const withoutAppends = (): Committed => this.#write(work, [], appends.length, nowMs);
    if (appends.length > 0 && !this.#diskReserve.hasRoom()) return withoutAppends();
    return withRoom(
      () => this.#write(work, appends, 0, nowMs),
      () => this.#freeDisk(),
      withoutAppends,
    );
  }

  /** The next envelopes a sink has yet to settle; rows whose bytes rotted become dead letters. */
  claim(claim: Claim): Claimed {
    const { rows, cursors, corrupt } = this.#claims.find(claim);
    const nowMs = Date.now();
    if (corrupt.length > 0) {
      this.#transactAtAnyRate(() => {
        for (const { place, body } of corrupt) this.#ends.bury(place, body, nowMs);
      }, nowMs);
    }
    return { envelopes: pack(rows), cursors, corrupt: corrupt.map(({ place }) => place.id) };
  }

  /** How much lies here, and the ledger as the transactions counted it. */
  counts(): SpoolCounts {
    return countSpool(this.#database, this.#tables);
  }

  /** Lets go of envelopes and dead letters that are too old. */
  expire(nowMs: number): { readonly expired: number } {
    const expired = this.#transactAtAnyRate(() => {
      this.#tables.deadLetters.removeOld(nowMs);
      return this.#ends.expire(this.#limits.maxAgeMs, { wallMs: nowMs, steadyMs: monotonicNowMs() });
    }, nowMs);
    return { expired };
  }

  /** Appends the client reports that are due. @param projects whose upstreams take envelopes now. */
  report(projects: readonly string[], nowMs: number): { readonly lastId: number } {
    this.#transact(() => {
      const ids = projects.map((project) => this.#tables.projects.find(project));
      for (const { project, discards } of this.#tables.discards.take(new Set(ids.filter(isKnown)))) {
        this.#insert({ ...reportRow(this.#tables.projects.dsn(project), discards, nowMs), id: 0 });
      }
    }, nowMs);
    return { lastId: this.#sequence.lastId };
  }

  deadLetters(beforeId: number | null, limit: number): readonly DeadLetter[] {
    return this.#tables.deadLetters.list(beforeId, limit);
  }

  deadLetter(id: number): OpenedDeadLetter | null {
    return this.#tables.deadLetters.open(id);
  }

  /**
   * Sends dead letters again to whom they were for; those that cannot be sent, or have no room in the spool, stay.
   * Each counts as accepted again: what became of it the first time stays true, and its row may still wait for the
   * store.
   */
  redrive(
    ids: readonly number[],
    nowMs: number = Date.now(),
  ): { readonly redriven: number; readonly lastId: number } {
    const redriven = this.#transact(() => {
      const { deadLetters } = this.#tables;
      const sent = ids.filter((id) => {
        const letter = deadLetters.find(id);
        if (letter === undefined || !this.#eviction.makeRoom(letter.class, chargeOf(letter))) return false;
        deadLetters.takeOut(id);
        this.#insert({ ...letter, id: 0 }, { reason: 'redriven', queuedAtMs: nowMs });
        return true;
      });
      return sent.length;
    }, nowMs);
    return { redriven, lastId: this.#sequence.lastId };
  }

  /** Drops dead letters for good; they stay counted. */
  discard(ids: readonly number[], nowMs: number = Date.now()): { readonly discarded: number } {
    const remove = (): number => ids.filter((id) => this.#tables.deadLetters.discard(id, nowMs)).length;
    return { discarded: this.#transact(remove, nowMs) };
  }

  /** Where a single event is; reads only. */
  get traces(): Pick<EventTraces, 'trace' | 'missing'> {
    return this.#traces;
  }

  look(look: ErasureLook): LookedThrough {
    return this.#erasures.look(look);
  }

  /** Takes envelopes, or dead letters, out for good. */
  erase({ from, ids }: Erase, nowMs: number = Date.now()): Erased {
    const remove = from === 'held' ? 'removeHeld' : 'removeDead';
    return { ids: this.#transactAtAnyRate(() => this.#erasures[remove](ids, nowMs), nowMs) };
  }

  /** After an erasure: what was deleted still stands in the log until that is folded in and cut. */
  truncateWal(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#tryCheckpoint('TRUNCATE');
    this.#database.close();
    this.#sequence.close();
    this.#lock.close();
  }

  /** As {@link #transact}; on a full disk the ballast makes room for one more try. */
  #transactAtAnyRate<T>(work: () => T, nowMs: number): T {
    return withRoom(
      () => this.#transact(work, nowMs),
      () => this.#freeDisk(),
    );
  }

  /** Lets go of the ballast. The log keeps its size: its room would be somebody else's at once. */
  #freeDisk(): void {
    this.#diskReserve.release();
    this.#tryCheckpoint('RESTART');
  }

  #transact<T>(work: () => T, nowMs: number): T {
    try {
      const result = this.#tables.transact(() => {
        const value = work();
        this.#sequence.flush();
        return value;
      }, nowMs);
      this.#sequence.commit();
      return result;
    } catch (error) {
      this.#sequence.rollback();
      this.#eviction.rollback();
      throw error;
    }
  }

  /** @param refused appends that are left out, as there is no room for them. */
  #write(work: CommitWork, appends: readonly EnvelopeRow[], refused: number, nowMs: number): Committed {
    if (work.delivered.digests.length > 0) this.#eviction.lookAgain();
    const { ids, faults } = this.#transact(
      () => ({
        faults: writeWork(this.#tables, this.#ends, work, nowMs),
        ids: appends.map((row) => this.#append(row)),
      }),
      nowMs,
    );
    const noRoom = Array.from({ length: refused }, () => NO_ROOM);
    return { ids: [...ids, ...noRoom], faults, fill: refused > 0 ? 1 : this.#tables.usage.fill };
  }

  #append(row: EnvelopeRow): number {
    const { projects, dedup } = this.#tables;
    const crc = crc32(row.stored);
    const key = dedup.keyOf(row, projects.id(row.project), crc);
    if (dedup.isRepeat(key)) return DUPLICATE;
    if (this.#eviction.makeRoom(row.class, chargeOf(row))) return this.#insert(row, { crc });
    dedup.forget(key);
    return NO_ROOM;
  }

  #insert(
    row: EnvelopeRow,
    { crc = crc32(row.stored), reason = '', queuedAtMs = row.receivedAtMs }: Insertion = {},
  ): number {
    const id = this.#sequence.next();
    this.#tables.envelopes.insert(id, this.#tables.projects.id(row.project), row, queuedAtMs, crc);
    this.#tables.ledger.count('accepted', reason, 1);
    return id;
  }

  /** Moves the write-ahead log into the database: a short log bounds what one damaged bit can take. */
  #tryCheckpoint(kind: 'RESTART' | 'TRUNCATE'): void {
    try {
      this.#database.exec(`PRAGMA wal_checkpoint(${kind})`);
    } catch {
      // On a full disk this may fail too; the log is then folded in later, and nothing is lost by it.
    }
  }
}

function isKnown(id: number | undefined): id is number {
  return id !== undefined;
}
