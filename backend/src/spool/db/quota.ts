import type { DatabaseSync } from 'node:sqlite';
import type { EnvelopeClass } from '../../envelope/envelope-class.ts';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';
import { PAGE_BYTES } from './spool-schema.ts';

/** Of a page, what rows can fill (https://sqlite.org/fileformat2.html, 1.6). */
const PAGE_ROOM = PAGE_BYTES - 35;
/** What a row takes beside its bytes: sender, places in both tables, its share of the keys of repeats. */
const ROW_BYTES = 512;

/**
 * Disk space of one envelope, with its share of what stays free in a page: rows are not cut to fill one, only those
 * larger than a page take several.
 *
 * @returns bytes.
 */
export function chargeOf({ header, stored }: Pick<EnvelopeRow, 'header' | 'stored'>): number {
  const row = header.length + stored.length + ROW_BYTES;
  if (row > PAGE_ROOM) return Math.ceil(row / PAGE_ROOM) * PAGE_BYTES;
  return Math.ceil(PAGE_BYTES / Math.floor(PAGE_ROOM / row));
}

/**
 * Share of the spool up to which each class is taken, most important first: what a flood of replays may fill leaves
 * room for spans, and the last tenth is for errors alone.
 */
const CLASS_CAPS: readonly number[] = [1, 0.9, 0.75, 0.6, 0.4];

/** How much of the cap the envelopes take, by class; kept along with the rows, as counting them takes too long. */
export class Quota {
  readonly #maxBytes: number;
  #bytes: number[];
  #committed: readonly number[];

  constructor(database: DatabaseSync, maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#bytes = CLASS_CAPS.map(() => 0);
    const rows = database.prepare('SELECT class, sum(charge) AS bytes FROM envelope GROUP BY class').all();
    for (const row of rows) this.#bytes[Number(row['class'])] = Number(row['bytes']);
    this.#committed = [...this.#bytes];
  }

  /** 0 to 1. */
  get fill(): number {
    return this.from(0) / this.#maxBytes;
  }

  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** So much is made room for beyond need, that not every append has to look for victims. */
  get ahead(): number {
    return this.#maxBytes / 256;
  }

  /** Bytes of this class. */
  of(rank: number): number {
    return this.#bytes[rank] ?? 0;
  }

  /** Bytes of this class and those that matter less. */
  from(rank: number): number {
    return this.#bytes.slice(rank).reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Bytes by which the cap of a class would be passed if `charge` came on top; 0 or less: it fits. */
  excess(rank: EnvelopeClass, charge: number): number {
    return this.from(0) + charge - this.#maxBytes * (CLASS_CAPS[rank] ?? 1);
  }

  /** @param charge bytes taken, or below 0 given back. */
  add(rank: number, charge: number): void {
    this.#bytes[rank] = (this.#bytes[rank] ?? 0) + charge;
  }

  /** The state now, for {@link reset}. */
  mark(): readonly number[] {
    return [...this.#bytes];
  }

  reset(mark: readonly number[]): void {
    this.#bytes = [...mark];
  }

  commit(): void {
    this.#committed = [...this.#bytes];
  }

  rollback(): void {
    this.#bytes = [...this.#committed];
  }
}
