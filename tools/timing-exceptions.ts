import type { Rule } from './check-tests.ts';

/** Places in a file where a rule of check-tests.ts does not apply. */
export interface TimingException {
  readonly file: string;
  readonly rule: Rule;
  readonly count: number;
  readonly reason: string;
}

export const TIMING_EXCEPTIONS: readonly TimingException[] = [];
