import type { EventStore } from '../store/event-store.ts';
import type { RetentionLimits } from '../store/retention/retention.ts';
import type { SourceMapLimits } from '../store/source-maps/store-client.ts';
import type { Log } from '../telemetry/log.ts';
import { every, type Job } from '../time/every.ts';
import { DAY_MS } from '../time/iso.ts';

/** Retention is counted in days: a quarter of an hour is exact enough. */
const RETENTION_MS = 15 * 60_000;
/** Counts the served client as used; the use of source maps is recorded once a day. */
const SOURCE_MAPS = { everyMs: DAY_MS, retryMs: 60_000, isAtOnce: true };

/**
 * Keeps the store within its present limits of age and size, and stores the source maps of the served client.
 *
 * @param nowMs an {@link ageClock}.
 */
export function maintainStore(
  store: EventStore,
  limits: () => { readonly retention: RetentionLimits; readonly sourceMaps: SourceMapLimits },
  log: Pick<Log, 'error' | 'info' | 'warn'>,
  nowMs: () => Promise<number>,
): readonly Job[] {
  const retain = async (): Promise<void> => {
    const removed = await store.ask('retain', limits().retention, await nowMs());
    if (removed.events + removed.issues > 0) log.info(removed, 'retention_removed');
  };
  return [
    every({ everyMs: RETENTION_MS }, retain, (err) => log.error({ err }, 'retention_failed')),
    every(
      SOURCE_MAPS,
      () => storeSourceMaps(store, limits().sourceMaps, log),
      (err) => log.error({ err }, 'source_maps_not_stored'),
    ),
  ];
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
