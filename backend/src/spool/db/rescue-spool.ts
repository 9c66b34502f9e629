import type { DatabaseSync } from 'node:sqlite';
import { balanceOf } from '../../outcome/balance.ts';
import type { LedgerFate, LedgerReason } from '../../outcome/outcome.ts';
import { type MovedFile, rescueFile } from '../../sqlite/rescue-file.ts';
import type { CopiedTable } from '../../sqlite/salvage.ts';
import type { LedgerLine } from '../protocol/spool-messages.ts';
import { readWatermark } from './sequence.ts';
import { createTables } from './spool-schema.ts';

/** The end of a rescue of the spool. */
export interface RescuedSpool {
  readonly moved: MovedFile;
  /** Held envelopes that could not be read. */
  readonly lost: number;
}

/** Replaces a damaged file by a copy of all that can be read of it, whose ledger balances. */
export function rescueSpool(path: string, watermarkPath: string): RescuedSpool {
  let lost = 0;
  const steps = rescueFile(path, {
    create: createTables,
    settle: (to, tables) => (lost = settle(to, tables, watermarkPath)),
  });
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return { moved: value, lost };
  }
}

/**
 * Counts the envelopes that are lost as unreadable. A ledger that is itself lost begins with the held envelopes.
 *
 * @returns the number of lost envelopes.
 */
function settle(to: DatabaseSync, tables: readonly CopiedTable[], watermarkPath: string): number {
  to.exec(`
    DELETE FROM envelope WHERE id NOT IN (SELECT id FROM body);
    DELETE FROM body WHERE id NOT IN (SELECT id FROM envelope);
  `);
  const lines = to
    .prepare('SELECT fate, reason, count FROM ledger')
    .all() as unknown as readonly LedgerLine[];
  const { queued } = to.prepare('SELECT count(*) AS queued FROM envelope').get() as { queued: number };
  const lost = balanceOf(lines, queued).missing;
  if (lost > 0) {
    count(to, 'dead_lettered', 'unreadable', lost);
    // A settled envelope can no longer be told from a lost one: docs/decisions/009.
    to.exec("DELETE FROM sequence WHERE name = 'identity'");
  }
  if (lost < 0) count(to, 'accepted', '', -lost);
  // The ledger has counted the loss: without its number the sequence would count all as lost once more.
  if (tables.some(({ name, isWhole }) => name === 'ledger' && isWhole))
    to.prepare("INSERT INTO sequence VALUES ('envelope', ?) ON CONFLICT DO NOTHING").run(
      readWatermark(watermarkPath) ?? 0,
    );
  return Math.max(0, lost);
}

function count(to: DatabaseSync, fate: LedgerFate, reason: LedgerReason, envelopes: number): void {
  to.prepare(
    'INSERT INTO ledger (fate, reason, count) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count',
  ).run(fate, reason, envelopes);
}
