import { digestOf } from '../backend/src/digest/digest.ts';
import { readError } from '../backend/src/digest/read-error.ts';
import type { Verdict } from './verdict.ts';

/** Every failed request computes a digest, which should not show beside the milliseconds that a request takes. */
const MAX_COST_US = 100;
const ROUNDS = 5;
const CALLS = 2_000;

/** Measures what the digest of a typical error costs, reading the error included: CPU time, the least of some rounds. */
export function measureDigest(): Verdict {
  const cause = new Error('connect ECONNREFUSED 10.0.0.7:5432');
  const error = new Error('Order 4711 not found', { cause });
  const costsUs = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (let call = 0; call < CALLS; call += 1) {
      digestOf(readError(error, '/srv/errata'), { route: '/orders/<n>' });
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / CALLS;
  });
  const costUs = Math.min(...costsUs);
  return {
    what: 'digest of an error with a cause, CPU time',
    target: `< ${MAX_COST_US} us`,
    measured: `${costUs.toFixed(1)} us`,
    isMet: costUs < MAX_COST_US,
    isVoid: false,
  };
}
