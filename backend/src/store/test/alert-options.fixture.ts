import type { AlertOptions } from '../outbox/enqueue.ts';
import type { AlertFilter } from '../../contract/alert-filter.ts';
import type { AlertTarget } from '../outbox/targets.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';

/** The filter that allows every alert. */
export const EVERY_ALERT: AlertFilter = {
  on: null,
  kinds: null,
  environments: null,
  projects: null,
  level: 'debug',
};

/** A target that gets every alert, 20 a minute. */
export const TARGET: AlertTarget = { id: 'team', filter: EVERY_ALERT, max: 20, perMs: 60_000 };

/** Options of a store with targets, by the clock of the test. */
export function alertOptions(
  stores: Pick<StoresUnderTest, 'nowMs'>,
  publicUrl: string | null = null,
  targets: readonly AlertTarget[] = [TARGET],
): { readonly alerts: AlertOptions } {
  return { alerts: { publicUrl, now: () => stores.nowMs, targets } };
}
