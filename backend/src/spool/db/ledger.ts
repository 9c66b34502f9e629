import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import type { LedgerFate, LedgerReason } from '../../outcome/outcome.ts';
import type { LedgerLine } from '../protocol/spool-messages.ts';

/**
 * Counts accepted envelopes and their outcomes, in the transaction that changes the row, so that a kill cannot
 * separate the two. It must never be written outside a transaction.
 */
export class Ledger {
  readonly #add: Statement;
  readonly #all: Statement<LedgerLine>;
  readonly #open = new Map<string, LedgerLine>();

  constructor(database: TypedDatabase) {
    this.#add = database.prepare(
      `INSERT INTO ledger (fate, reason, count) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    );
    this.#all = database.prepare('SELECT fate, reason, count FROM ledger ORDER BY fate, reason');
  }

  /** Adds envelopes to a line, one of LEDGER_REASONS; written by {@link flush}. */
  count(fate: LedgerFate, reason: LedgerReason, count: number): void {
    if (count === 0) return;
    const key = `${fate} ${reason}`;
    this.#open.set(key, { fate, reason, count: (this.#open.get(key)?.count ?? 0) + count });
  }

  /** Envelopes that have got their outcome in the current transaction. */
  get ended(): number {
    const lines = [...this.#open.values()].filter(({ fate }) => fate !== 'accepted');
    return lines.reduce((sum, { count }) => sum + count, 0);
  }

  /** Writes the counts of the current transaction. */
  flush(): void {
    for (const { fate, reason, count } of this.#open.values()) this.#add.run(fate, reason, count);
    this.rollback();
  }

  rollback(): void {
    this.#open.clear();
  }

  lines(): readonly LedgerLine[] {
    return this.#all.all();
  }
}
