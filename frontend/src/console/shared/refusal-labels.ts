import type { RefusedCount } from '@errata/backend/contract/delivery-api.ts';
import { reasonLabel } from './reason-labels.ts';

/** Why the tunnel turned something away (backend outcome/outcome.ts), in words beside a number. */
const REFUSALS: Readonly<Record<string, string>> = {
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

export function refusalLabel(reason: string): string {
  return (Object.hasOwn(REFUSALS, reason) ? REFUSALS[reason] : undefined) ?? reasonLabel(reason);
}

/** For all reasons together. */
export function refusedTotal(refused: readonly RefusedCount[]): number {
  return refused.reduce((sum, { count }) => sum + count, 0);
}
