import { type Balance, balanceOf } from '../outcome/balance.ts';
import type { SpoolCounts } from './protocol/spool-messages.ts';

/** What the spool holds, and how its envelopes have ended since its file was created. */
export interface Backlog extends Pick<Balance, 'queued' | 'delivered' | 'expired' | 'dropped' | 'erased'> {
  /** Envelopes queued for upstreams that are not in the settings; no dispatcher delivers them. */
  readonly stranded: number;
  /** Stored dead letters. They are not queued: only an operator sends them again. */
  readonly deadLetters: number;
  /** Whether a sink of the settings still waits for an envelope. */
  readonly isDeliverable: boolean;
}

/** Returns the backlog of the spool. @param upstreams projects with an upstream. */
export function backlogOf(counts: SpoolCounts, upstreams: ReadonlySet<string>): Backlog {
  const { queued, delivered, expired, dropped, erased } = balanceOf(counts.ledger, counts.queued);
  const stranded = sumOf(strandedIn(counts, upstreams));
  return {
    queued,
    delivered,
    expired,
    dropped,
    erased,
    stranded,
    deadLetters: counts.deadLetters,
    isDeliverable: counts.forStore > 0 || sumOf(counts.forUpstreams) > stranded,
  };
}

function sumOf(waiting: SpoolCounts['forUpstreams']): number {
  return waiting.reduce((sum, { envelopes }) => sum + envelopes, 0);
}

/**
 * Returns the counts of envelopes for upstreams that are no longer in the settings, for example after a change of a key.
 * No dispatcher delivers them, and they expire.
 */
export function strandedIn(
  { forUpstreams }: SpoolCounts,
  upstreams: ReadonlySet<string>,
): SpoolCounts['forUpstreams'] {
  return forUpstreams.filter(({ project }) => !upstreams.has(project));
}
