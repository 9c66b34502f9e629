import type { LedgerFate } from './outcome.ts';

/** The ledger, in envelopes: `accepted = delivered + held + deadLettered + expired + shed + erased`. */
export interface Balance {
  readonly accepted: number;
  readonly delivered: number;
  readonly held: number;
  readonly deadLettered: number;
  readonly expired: number;
  readonly shed: number;
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
 * Returns the balance of the counters and the queued envelopes. `held` is counted in the spool and not computed: a
 * computed value would always balance.
 */
export function balanceOf(lines: readonly FateCount[], held: number): Balance {
  const sum = (fate: FateCount['fate']): number =>
    lines.reduce((total, line) => total + (line.fate === fate ? line.count : 0), 0);
  const accepted = sum('accepted');
  const delivered = sum('delivered');
  const deadLettered = sum('dead_lettered');
  const expired = sum('expired');
  const shed = sum('shed');
  const erased = sum('erased');
  const missing = accepted - delivered - held - deadLettered - expired - shed - erased;
  return { accepted, delivered, held, deadLettered, expired, shed, erased, missing };
}
