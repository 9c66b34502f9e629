import type { EventStore } from '../store/event-store.ts';
import { hasDeleted, type RetentionLimits } from '../store/retention/retention.ts';
import type { Log } from '../telemetry/log.ts';
import { every, type Job } from '../time/every.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { HOUR_MS } from '../time/iso.ts';

/** Retention is counted in days: a quarter of an hour is exact enough. */
const RETENTION_MS = 15 * 60_000;

/**
 * Keeps the store within its present limits of age and size.
 *
 * @param ageNow a {@link storeAgeClock}.
 */
export function maintainStore(
  store: EventStore,
  limits: () => RetentionLimits,
  log: Pick<Log, 'error' | 'info' | 'warn'>,
  ageNow: () => Promise<number>,
): readonly Job[] {
  const retain = retention(store, log);
  const works = [
    async () => retain(limits(), await ageNow()),
    async () => store.ask('deleteUnservedFiles', limits().maxAgeMs, await ageNow()),
  ];
  return works.map((work) =>
    every({ everyMs: RETENTION_MS }, work, (err) => log.error({ err }, 'retention_failed')),
  );
}

/** Returns the work of one retention, with its log. */
export function retention(
  store: Pick<EventStore, 'ask'>,
  log: Pick<Log, 'info' | 'warn'>,
): (limits: RetentionLimits, nowMs: number) => Promise<void> {
  const warnOfEarly = earlyWarning(log);
  return async (limits, nowMs) => {
    try {
      const removed = await store.ask('retain', limits, nowMs);
      if (hasDeleted(removed)) log.info(removed, 'retention_removed');
      // The next start measures ages from here.
      if (nowMs > 0) await store.ask('saveAgesMeasured', nowMs);
    } finally {
      // A retention with a failed step has deleted events, too.
      warnOfEarly(await store.ask('earlyEvictions'));
    }
  };
}

/** Returns a function that logs how many events and feedback were deleted for space before the maximum age, once an hour at most. */
export function earlyWarning(log: Pick<Log, 'warn'>, now = Date.now): (deleted: number) => void {
  let lastMs = -Infinity;
  return (deleted) => {
    if (deleted === 0 || Math.abs(now() - lastMs) < HOUR_MS) return;
    lastMs = now();
    log.warn({ deleted }, 'store_evicting_early');
  };
}

/** Adds the gauge of events and feedback that are deleted for space. */
export function addStoreGauge(store: EventStore, metrics: Metrics): void {
  const gauge = {
    name: 'errata_store_evicting_early',
    help: '1 for an hour after events or feedback younger than ERRATA_RETENTION_DAYS were deleted for space',
    labels: [],
  };
  metrics.gauge(gauge, async () => [{ labels: {}, value: (await store.ask('earlyEvictions')) > 0 ? 1 : 0 }]);
}
