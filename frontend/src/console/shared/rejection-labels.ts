import type { RejectionCount } from '@errata/backend/contract/delivery-api.ts';
import { ownLabel } from '../../ui/format/own-label.ts';
import { clockTime } from '../../ui/format/time-text.tsx';
import { reasonLabel } from './reason-labels.ts';

/** Why the tunnel rejected an envelope (backend outcome/outcome.ts); shown beside a number. */
const REJECTIONS: Readonly<Record<string, string>> = {
  malformed: 'malformed',
  not_allowed: 'DSN not allowed',
  cross_site: 'origin not allowed',
  method: 'wrong method',
  too_large: 'too large',
  coding: 'unsupported encoding',
  rate_limited: 'rate limit',
  timeout: 'timed out',
  aborted: 'connection lost',
  unavailable: 'queue full',
};

export function rejectionLabel(reason: string): string {
  return ownLabel(REJECTIONS, reason) ?? reasonLabel(reason);
}

/** Returns the period of the counts, for a sentence. @param since start of the process, if that is less than a day ago. */
export function rejectedPeriod(since: string | null): string {
  if (since === null) return 'in the last 24 hours';
  // The time of day alone: it is less than a day ago.
  const start = new Date(since);
  return `since ${clockTime(start, start.getTime())}`;
}

/** Returns the sum over all reasons. */
export function rejectedTotal(rejected: readonly RejectionCount[]): number {
  return rejected.reduce((sum, { count }) => sum + count, 0);
}
