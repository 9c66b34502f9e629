import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Fate, LossReason } from '../../outcome/outcome.ts';
import type { LedgerLine } from '../protocol/spool-messages.ts';

/**
 * How many envelopes were accepted and where each ended, counted in the transaction that moves the row: no kill can
 * come between the two. It must never be written outside of one.
 */
export class Ledger {
  readonly #add: StatementSync;
  readonly #all: StatementSync;
  #open = new Map<string, LedgerLine>();

  constructor(database: DatabaseSync) {
    this.#add = database.prepare(
      `INSERT INTO ledger (fate, reason, count) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    );
    this.#all = database.prepare('SELECT fate, reason, count FROM ledger ORDER BY fate, reason');
  }

  /** Notes envelopes; written with {@link flush}. */
  count(fate: Fate | 'accepted', reason: LossReason | 'redriven' | '', count: number): void {
    if (count === 0) return;
    const key = `${fate} ${reason}`;
    this.#open.set(key, { fate, reason, count: (this.#open.get(key)?.count ?? 0) + count });
  }

  /** Writes what was noted since the last transaction; call it inside of one, before its end. */
  flush(): void {
    for (const { fate, reason, count } of this.#open.values()) this.#add.run(fate, reason, count);
  }

  /** The transaction has ended, well or not: what was noted in it is written or void. */
  end(): void {
    this.#open = new Map();
  }

  lines(): readonly LedgerLine[] {
    return this.#all.all() as unknown as readonly LedgerLine[];
  }
}
