import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import type { EnvelopeClass } from '../../envelope/envelope-class.ts';
import type { Quota } from './quota.ts';

/** Victims read by one query. */
const BATCH = 256;
/** Digests read by one query, the most frequent first. */
const DIGESTS = 32;
/** Newest errors of a digest that the first pass spares, beside its oldest one. */
const SPARED_NEWEST = 5;

interface Victim {
  readonly id: number;
  readonly diskBytes: number;
}

/**
 * Evicts envelopes for more important ones: the oldest of the lowest class first; among errors only repeats of a
 * digest, never its last one. An error whose digest is not yet known counts as unique (protocol L3).
 */
export class Eviction {
  readonly #quota: Quota;
  readonly #evict: (id: number) => void;
  readonly #oldest: Statement<Victim>;
  readonly #repeated: Statement<{ readonly digest: string }>;
  readonly #ofDigest: Statement<Victim>;
  /** By class, the id up to which no row is left: ids only grow. */
  readonly #cleared: number[] = [];
  #vainExcess: number | undefined;
  /** Disk space of an error that found no room; undefined when the last one found some. */
  #refusedBytes: number | undefined;

  /** @param evict removes an envelope from the spool and counts it. */
  constructor(database: TypedDatabase, quota: Quota, evict: (id: number) => void) {
    this.#quota = quota;
    this.#evict = evict;
    this.#oldest = database.prepare(
      'SELECT id, disk_bytes AS diskBytes FROM envelope WHERE id > ? AND class = ? ORDER BY id LIMIT ?',
    );
    this.#repeated = database.prepare(
      `SELECT digest FROM envelope WHERE digest IS NOT NULL
       GROUP BY digest HAVING count(*) > ? ORDER BY count(*) DESC LIMIT ?`,
    );
    this.#ofDigest = database.prepare(
      'SELECT id, disk_bytes AS diskBytes FROM envelope WHERE digest = ? ORDER BY id',
    );
  }

  /** Whether an error was refused and would be refused again. */
  get refusesErrors(): boolean {
    return (
      this.#refusedBytes !== undefined && this.#quota.excess(0, this.#refusedBytes) > this.#quota.from(1)
    );
  }

  /** Evicts others if that gives so many bytes of this class room. @returns whether they have room now. */
  makeRoom(envelopeClass: EnvelopeClass, diskBytes: number): boolean {
    const hasRoom = this.#evictFor(envelopeClass, diskBytes);
    if (envelopeClass === 0) this.#refusedBytes = hasRoom ? undefined : diskBytes;
    return hasRoom;
  }

  #evictFor(envelopeClass: EnvelopeClass, diskBytes: number): boolean {
    const excess = this.#quota.excess(envelopeClass, diskBytes);
    if (excess <= 0) return true;
    const lowestOwn = Math.max(envelopeClass, 1);
    // Evicting all lower classes and still rejecting this envelope would lose them in vain.
    if (envelopeClass > 0 && this.#quota.from(lowestOwn) < excess) return false;
    if (envelopeClass === 0 && this.#isHopeless(excess)) return false;
    let wanted = excess + this.#quota.ahead;
    for (let victims = 4; victims >= lowestOwn && wanted > 0; victims -= 1) {
      if (this.#quota.of(victims) > 0) wanted -= this.#evictOldest(victims, wanted);
    }
    if (envelopeClass === 0 && wanted > 0) wanted -= this.#evictRepeats(SPARED_NEWEST, wanted);
    if (envelopeClass === 0 && wanted > this.#quota.ahead) this.#evictRepeats(0, wanted);
    const left = this.#quota.excess(envelopeClass, diskBytes);
    if (envelopeClass === 0 && left > 0) this.#vainExcess = left;
    return left <= 0;
  }

  /**
   * Returns whether an earlier scan found no repeats and nothing has changed since. A spool full of unique errors is
   * scanned when the store has reported digests, not for each refused error.
   */
  #isHopeless(excess: number): boolean {
    return this.#vainExcess !== undefined && this.#quota.from(1) === 0 && excess >= this.#vainExcess;
  }

  /** Allows a new scan for repeats, as the store has reported digests. */
  rescan(): void {
    this.#vainExcess = undefined;
  }

  /** Clears the positions, as evicted rows exist again. */
  rollback(): void {
    this.#cleared.length = 0;
  }

  #evictOldest(envelopeClass: number, wanted: number): number {
    let freed = 0;
    while (freed < wanted) {
      const rows = this.#oldest.all(this.#cleared[envelopeClass] ?? 0, envelopeClass, BATCH);
      const part = this.#take(rows, wanted - freed);
      freed += part.freed;
      this.#cleared[envelopeClass] = rows[part.taken - 1]?.id ?? this.#cleared[envelopeClass] ?? 0;
      if (rows.length < BATCH) break;
    }
    return freed;
  }

  /** @param newest errors of each digest that stay beside the oldest one; 0 to spare only the newest one. */
  #evictRepeats(newest: number, wanted: number): number {
    let freed = 0;
    while (freed < wanted) {
      const digests = this.#repeated.all(newest + 1, DIGESTS);
      if (digests.length === 0) break;
      for (const { digest } of digests) {
        if (freed >= wanted) break;
        const rows = this.#ofDigest.all(digest);
        const spare = newest === 0 ? rows.slice(0, -1) : rows.slice(1, -newest);
        freed += this.#take(spare, wanted - freed).freed;
      }
    }
    return freed;
  }

  #take(rows: readonly Victim[], wanted: number): { readonly freed: number; readonly taken: number } {
    let freed = 0;
    let taken = 0;
    for (const row of rows) {
      if (freed >= wanted) break;
      this.#evict(row.id);
      freed += row.diskBytes;
      taken += 1;
    }
    return { freed, taken };
  }
}
