import { setImmediate } from 'node:timers/promises';
import type { ClientMaps } from '../../sourcemap/client-maps.ts';
import { contentId, packScript } from '../../sourcemap/packed-script.ts';
import type { BuiltScript } from '../../sourcemap/parsed-script.ts';
import type { Database, DiskRoom } from '../db/schema.ts';
import { MAX_CONTENT_BYTES, withinCap } from '../db/within-cap.ts';
import { deleteMaps, insertMap, listMaps, type StoredMap, touchMaps } from './map-rows.ts';

/**
 * store/source-maps/ keeps the source maps of served clients over deploys. It must never read a file that an event names.
 */

export interface SourceMapLimits {
  /** Release under which the client is served. */
  readonly release: string;
  /** All stored maps together, packed. */
  readonly maxBytes: number;
}

/** Result of {@link storeClient}, for the log. */
export interface SourceMapCounts {
  readonly added: number;
  /** Maps that were too large or exceeded `maxBytes`. */
  readonly skipped: number;
  /** Why the last one of those that could not be read could not, such as EMFILE; absent where all could. */
  readonly unreadable?: string;
  /** Maps of earlier clients that were removed, least recently used first. */
  readonly removed: number;
  readonly maps: number;
  readonly bytes: number;
}

/**
 * Stores the maps of the served client that are not stored yet, and removes the least recently used ones above
 * `maxBytes`. Each map is written by its own statement, so that ingest runs in between.
 *
 * @param disk limits the writes. @throws where the disk is nearly full.
 */
export async function storeClient(
  db: Database,
  client: ClientMaps,
  { release, maxBytes }: SourceMapLimits,
  nowMs: number,
  disk?: DiskRoom,
): Promise<SourceMapCounts> {
  const known = new Map((await listMaps(db)).map((map) => [map.debugId, map]));
  const found: string[] = [];
  let [added, skipped, room] = [0, 0, maxBytes];
  let unreadable: string | undefined;
  for (const [script, id] of client.scripts) {
    await setImmediate();
    const isKnown = id !== null && known.has(id);
    const built = isKnown ? undefined : await client.load(script).catch(String);
    if (typeof built === 'string') {
      unreadable = built;
      continue;
    }
    const debugId = id ?? (built === undefined ? undefined : contentId(built));
    if (debugId === undefined) {
      skipped += 1;
      continue;
    }
    const size = known.get(debugId)?.size;
    const map = { debugId, script, release, seenMs: nowMs };
    const bytes = size ?? (await storeMap(db, map, built, { room, disk }));
    if (bytes === null) skipped += 1;
    else found.push(debugId);
    if (bytes !== null && size === undefined) added += 1;
    room -= bytes ?? 0;
  }
  await touchMaps(db, found, nowMs, release);
  const result = { added, skipped, ...(await removeExcess(db, maxBytes)) };
  return unreadable === undefined ? result : { ...result, unreadable };
}

/** Stores a map and returns its bytes; null where it is too large. */
async function storeMap(
  db: Database,
  map: Omit<StoredMap, 'size'>,
  built: BuiltScript | undefined,
  { room, disk }: { readonly room: number; readonly disk: DiskRoom | undefined },
): Promise<number | null> {
  if (built === undefined) return null;
  const body = await packScript(built);
  if (body.byteLength > Math.min(room, MAX_CONTENT_BYTES)) return null;
  disk?.need(body.byteLength);
  await insertMap(db, { ...map, size: body.byteLength }, body);
  disk?.wrote();
  return body.byteLength;
}

async function removeExcess(
  db: Database,
  maxBytes: number,
): Promise<Pick<SourceMapCounts, 'removed' | 'maps' | 'bytes'>> {
  const maps = await listMaps(db);
  const { count, bytes } = withinCap(maps, maxBytes);
  const excess = maps.slice(count);
  await deleteMaps(
    db,
    excess.map(({ debugId }) => debugId),
  );
  return { removed: excess.length, maps: count, bytes };
}
