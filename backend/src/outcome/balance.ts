import type { Fate } from './outcome.ts';

/** The promise in figures, in envelopes: `accepted = delivered + held + deadLettered + expired + shed + erased`. */
export interface Balance {
  readonly accepted: number;
  readonly delivered: number;
  readonly held: number;
  readonly deadLettered: number;
  readonly expired: number;
  readonly shed: number;
  readonly erased: number;
  /** What was accepted and is nowhere: 0, or an error was lost. Below 0, something was counted twice. */
  readonly missing: number;
}

/** A number of envelopes with one end. */
interface Line {
  readonly fate: Fate | 'accepted';
  readonly count: number;
}

/**
 * Draws the balance from counts and from what the spool really holds; held is measured and not computed, or the
 * balance could never fail.
 */
export function balanceOf(lines: readonly Line[], held: number): Balance {
  const sum = (fate: Line['fate']): number =>
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
