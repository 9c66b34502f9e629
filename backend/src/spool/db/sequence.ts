import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Watermark } from './watermark.ts';

/** Assigns envelope ids: each larger than all before, also after a restart with an empty spool. */
export class Sequence {
  readonly #save: StatementSync;
  readonly #watermark: Watermark;
  /** Acknowledged envelopes that are missing from a damaged file; computed at opening. */
  readonly lost: number;
  #lastId: number;
  #committed: number;

  constructor(database: DatabaseSync, watermarkPath: string) {
    this.#save = database.prepare("UPDATE sequence SET value = ? WHERE name = 'envelope'");
    const row = database.prepare("SELECT value FROM sequence WHERE name = 'envelope'").get();
    const saved = Number(row?.['value'] ?? 0);
    this.#watermark = new Watermark(watermarkPath);
    const acknowledged = this.#watermark.read();
    this.lost = Math.max(0, acknowledged - saved);
    this.#lastId = Math.max(saved, acknowledged);
    this.#committed = this.#lastId;
  }

  get lastId(): number {
    return this.#committed;
  }

  next(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Writes the last id in the current transaction. */
  flush(): void {
    if (this.#lastId !== this.#committed) this.#save.run(this.#lastId);
  }

  commit(): void {
    if (this.#lastId === this.#committed) return;
    this.#committed = this.#lastId;
    try {
      this.#watermark.write(this.#committed);
    } catch {
      // The watermark only detects damage; the commit is valid without it.
    }
  }

  rollback(): void {
    this.#lastId = this.#committed;
  }

  close(): void {
    this.#watermark.close();
  }
}
