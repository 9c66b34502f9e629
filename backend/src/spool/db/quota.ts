import type { TypedDatabase } from '../../sqlite/typed-database.ts';
import type { EnvelopeClass } from '../../envelope/envelope-class.ts';

/**
 * Share of the spool up to which each class is accepted, most important first: a flood of replays leaves room for
 * spans, and the last tenth is reserved for errors.
 */
const CLASS_CAPS: readonly number[] = [1, 0.9, 0.75, 0.6, 0.4];

/** Tracks the disk space of the envelopes by class. Updated with each row, as counting all rows takes too long. */
export class Quota {
  /** Cap of all classes together. */
  maxBytes: number;
  #bytes: number[];
  #committed: readonly number[];

  constructor(database: TypedDatabase, maxBytes: number) {
    this.maxBytes = maxBytes;
    this.#bytes = CLASS_CAPS.map(() => 0);
    const rows = database
      // As floats: Node throws for an integer above 2^53, which a damaged page may have.
      .prepare('SELECT 0.0 + class AS class, total(disk_bytes) AS bytes FROM envelope GROUP BY 1')
      .all();
    for (const row of rows) this.#bytes[Number(row['class'])] = Number(row['bytes']);
    this.#committed = [...this.#bytes];
  }

  /** Used share of the cap, 0 to 1. */
  get fill(): number {
    return this.from(0) / this.maxBytes;
  }

  /** Bytes to free beyond the need of one append, so that the next appends need no eviction. */
  get ahead(): number {
    return this.maxBytes / 256;
  }

  of(envelopeClass: number): number {
    return this.#bytes[envelopeClass] ?? 0;
  }

  /** Bytes of this class and of all less important ones. */
  from(envelopeClass: number): number {
    return this.#bytes.slice(envelopeClass).reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Returns the bytes by which an append would exceed the cap of its class; 0 or less if it fits. */
  excess(envelopeClass: EnvelopeClass, diskBytes: number): number {
    return this.from(0) + diskBytes - this.maxBytes * (CLASS_CAPS[envelopeClass] ?? 1);
  }

  /** @param diskBytes bytes added; negative when rows are removed. */
  add(envelopeClass: number, diskBytes: number): void {
    this.#bytes[envelopeClass] = (this.#bytes[envelopeClass] ?? 0) + diskBytes;
  }

  mark(): () => void {
    const bytes = [...this.#bytes];
    return () => (this.#bytes = bytes);
  }

  commit(): void {
    this.#committed = [...this.#bytes];
  }

  rollback(): void {
    this.#bytes = [...this.#committed];
  }
}
