import type { EventStore } from '../store/event-store.ts';
import { hasDeleted, type RetentionLimits } from '../store/retention/retention.ts';
import type { SourceMapLimits } from '../store/source-maps/store-client.ts';
import type { Log } from '../telemetry/log.ts';
import { every, type Job } from '../time/every.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { DAY_MS, HOUR_MS } from '../time/iso.ts';

/** Retention is counted in days: a quarter of an hour is exact enough. */
const RETENTION_MS = 15 * 60_000;
/** Counts the served client as used; the use of source maps is recorded once a day. */
const SOURCE_MAPS = { everyMs: DAY_MS, retryMs: 60_000, isAtOnce: true };

/**
 * Keeps the store within its present limits of age and size, and stores the source maps of the served client.
 *
 * @param ageNow a {@link storeAgeClock}.
 */
export function maintainStore(
  store: EventStore,
  limits: () => { readonly retention: RetentionLimits; readonly sourceMaps: SourceMapLimits },
  log: Pick<Log, 'error' | 'info' | 'warn'>,
  ageNow: () => Promise<number>,
): readonly Job[] {
  const retain = retention(store, log);
  return [
    every(
      { everyMs: RETENTION_MS },
      async () => retain(limits().retention, await ageNow()),
      (err) => log.error({ err }, 'retention_failed'),
    ),
    every(
      SOURCE_MAPS,
      () => storeSourceMaps(store, limits().sourceMaps, log),
      (err) => log.error({ err }, 'source_maps_not_stored'),
    ),
  ];
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

/** Stores the source maps of the served client. @param hasChanged whether a new build is served. */
export async function storeSourceMaps(
  store: EventStore,
  limits: SourceMapLimits,
  log: Pick<Log, 'info' | 'warn'>,
  hasChanged = false,
): Promise<void> {
  const stored = await store.ask('storeSourceMaps', limits, hasChanged);
  if (stored !== undefined && stored.added + stored.removed > 0) log.info(stored, 'source_maps_stored');
  if (stored !== undefined && stored.skipped > 0) log.warn(stored, 'source_maps_too_large');
  if (stored?.unreadable !== undefined) log.warn(stored, 'source_maps_unreadable');
}
