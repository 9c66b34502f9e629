import type { DatabaseSync } from 'node:sqlite';
import type { ClassCounts, SpoolCounts } from '../spool-messages.ts';
import type { Tables } from './tables.ts';

/** Counts what is held by looking at the rows themselves: a balance drawn from counters alone could never fail. */
export function countSpool(
  database: DatabaseSync,
  { ledger, discards, deadLetters, usage }: Tables,
): SpoolCounts {
  const classes = database
    .prepare(
      `SELECT class, count(*) AS envelopes, sum(charge) AS bytes, min(received_at_ms) AS oldestReceivedAtMs
       FROM envelope GROUP BY class`,
    )
    .all() as unknown as readonly ClassCounts[];
  return {
    held: classes.reduce((sum, { envelopes }) => sum + envelopes, 0),
    classes,
    ledger: ledger.lines(),
    discards: discards.sums(),
    deadLetters: deadLetters.count,
    fill: usage.fill,
  };
}
