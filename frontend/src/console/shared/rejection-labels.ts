import type { RejectionCount } from '@errata/backend/contract/delivery-api.ts';
import { ownLabel } from '../../ui/format/own-label.ts';
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

/** Returns the sum over all reasons. */
export function rejectedTotal(rejected: readonly RejectionCount[]): number {
  return rejected.reduce((sum, { count }) => sum + count, 0);
}
