import type { LedgerFate } from './outcome.ts';

/** The ledger, in envelopes: `accepted = delivered + queued + deadLettered + expired + dropped + erased`. */
export interface Balance {
  readonly accepted: number;
  readonly delivered: number;
  readonly queued: number;
  readonly deadLettered: number;
  readonly expired: number;
  readonly dropped: number;
  readonly erased: number;
  /** Accepted envelopes that no other figure counts: always 0. Above 0 some are lost, below 0 some counted twice. */
  readonly missing: number;
}

/** Number of envelopes with one fate. */
interface FateCount {
  readonly fate: LedgerFate;
  readonly count: number;
}

/**
 * Returns the balance of the counters and the queued envelopes. `queued` is counted in the spool and not computed: a
 * computed value would always balance.
 */
export function balanceOf(lines: readonly FateCount[], queued: number): Balance {
  const sum = (fate: FateCount['fate']): number =>
    lines.reduce((total, line) => total + (line.fate === fate ? line.count : 0), 0);
  const accepted = sum('accepted');
  const delivered = sum('delivered');
  const deadLettered = sum('dead_lettered');
  const expired = sum('expired');
  const dropped = sum('dropped');
  const erased = sum('erased');
  const missing = accepted - delivered - queued - deadLettered - expired - dropped - erased;
  return { accepted, delivered, queued, deadLettered, expired, dropped, erased, missing };
}
