import type { Fate } from './outcome.ts';

/** The promise in figures, in envelopes: `accepted = delivered + held + deadLettered + expired + shed`. */
export interface Balance {
  readonly accepted: number;
  readonly delivered: number;
  readonly held: number;
  readonly deadLettered: number;
  readonly expired: number;
  readonly shed: number;
  /** What was accepted and is nowhere: 0, or an error was lost. Below 0, something was counted twice. */
  readonly missing: number;
}

/**
 * Draws the balance from counts and from what the spool really holds; held is measured and not computed, or the
 * balance could never fail.
 */
export function balanceOf(
  counts: Readonly<Partial<Record<Fate | 'accepted', number>>>,
  held: number,
): Balance {
  const { accepted = 0, delivered = 0, dead_lettered: deadLettered = 0, expired = 0, shed = 0 } = counts;
  const missing = accepted - delivered - held - deadLettered - expired - shed;
  return { accepted, delivered, held, deadLettered, expired, shed, missing };
}
