import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EnvelopeClass } from '../../envelope/envelope-class.ts';
import type { Place } from './envelope-table.ts';
import type { Quota } from './quota.ts';

/** Victims looked for at once. */
const BATCH = 256;
/** Digests whose repeats are looked at at once, the most frequent first. */
const DIGESTS = 32;
/** Of a digest's errors at first these are spared: the first one and the newest. */
const SPARED_NEWEST = 5;

type Victim = Pick<Place, 'id' | 'class' | 'charge'>;

/**
 * Makes room for what matters more: the oldest of the lowest class first; among errors only repeats of a digest,
 * never the last one of it. An error whose digest is not yet known counts as unique (protocol 3.5).
 */
export class Eviction {
  readonly #usage: Quota;
  readonly #shed: (victim: Victim) => void;
  readonly #oldest: StatementSync;
  readonly #repeated: StatementSync;
  readonly #ofDigest: StatementSync;
  /** Up to here no row of the class is left: ids only grow. */
  readonly #cleared: number[] = [];
  #vainExcess: number | undefined;

  /** @param shed takes a victim out of the spool and counts it. */
  constructor(database: DatabaseSync, usage: Quota, shed: (victim: Victim) => void) {
    this.#usage = usage;
    this.#shed = shed;
    this.#oldest = database.prepare(
      'SELECT id, class, charge FROM envelope WHERE id > ? AND class = ? ORDER BY id LIMIT ?',
    );
    this.#repeated = database.prepare(
      `SELECT digest FROM envelope WHERE digest IS NOT NULL
       GROUP BY digest HAVING count(*) > ? ORDER BY count(*) DESC LIMIT ?`,
    );
    this.#ofDigest = database.prepare('SELECT id, class, charge FROM envelope WHERE digest = ? ORDER BY id');
  }

  /** Whether `charge` bytes of this class have room now; lets go of others where that helps. */
  makeRoom(rank: EnvelopeClass, charge: number): boolean {
    const excess = this.#usage.excess(rank, charge);
    if (excess <= 0) return true;
    const lowestOwn = Math.max(rank, 1);
    // Letting go of everything below and still refusing this one would be loss for nothing.
    if (rank > 0 && this.#usage.from(lowestOwn) < excess) return false;
    if (rank === 0 && this.#isHopeless(excess)) return false;
    let wanted = excess + this.#usage.ahead;
    for (let victims = 4; victims >= lowestOwn && wanted > 0; victims -= 1) {
      if (this.#usage.of(victims) > 0) wanted -= this.#shedOldest(victims, wanted);
    }
    if (rank === 0 && wanted > 0) wanted -= this.#shedRepeats(SPARED_NEWEST, wanted);
    if (rank === 0 && wanted > this.#usage.ahead) this.#shedRepeats(0, wanted);
    const left = this.#usage.excess(rank, charge);
    if (rank === 0 && left > 0) this.#vainExcess = left;
    return left <= 0;
  }

  /**
   * Whether a look for repeats found none and nothing has changed since. A spool full of unique errors is looked
   * through when digests have come, not for every error that is refused.
   */
  #isHopeless(excess: number): boolean {
    return this.#vainExcess !== undefined && this.#usage.from(1) === 0 && excess >= this.#vainExcess;
  }

  /** Digests have come: there may be repeats now. */
  lookAgain(): void {
    this.#vainExcess = undefined;
  }

  /** A transaction was rolled back: what it cleared may be there again. */
  rollback(): void {
    this.#cleared.length = 0;
  }

  #shedOldest(rank: number, wanted: number): number {
    let freed = 0;
    while (freed < wanted) {
      const rows = this.#oldest.all(this.#cleared[rank] ?? 0, rank, BATCH) as unknown as readonly Victim[];
      const part = this.#take(rows, wanted - freed);
      freed += part.freed;
      this.#cleared[rank] = rows[part.taken - 1]?.id ?? this.#cleared[rank] ?? 0;
      if (rows.length < BATCH) break;
    }
    return freed;
  }

  /** @param newest errors of each digest that stay beside the first one; 0: only the newest one stays. */
  #shedRepeats(newest: number, wanted: number): number {
    let freed = 0;
    while (freed < wanted) {
      const digests = this.#repeated.all(newest + 1, DIGESTS) as unknown as readonly { digest: string }[];
      if (digests.length === 0) break;
      for (const { digest } of digests) {
        if (freed >= wanted) break;
        const rows = this.#ofDigest.all(digest) as unknown as readonly Victim[];
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
      this.#shed(row);
      freed += row.charge;
      taken += 1;
    }
    return { freed, taken };
  }
}
