import { setImmediate } from 'node:timers/promises';
import type { ClientMaps } from '../../sourcemap/client-maps.ts';
import { contentId, packScript } from '../../sourcemap/packed-script.ts';
import type { BuiltScript } from '../../sourcemap/parsed-script.ts';
import type { Database } from '../db/schema.ts';
import { deleteMaps, insertMap, type KeptMap, listMaps, touchMaps } from './map-rows.ts';

/**
 * Largest map that is kept, packed. SQLite and PostgreSQL hold a value in memory several times while they write it; a
 * map of 60 MiB, of the largest clients there are, packs to about this.
 */
const MAX_MAP_BYTES = 16 * 1024 * 1024;
/** Most maps: their names lie in memory, some 300 bytes each. */
const MAX_MAPS = 20_000;

export interface KeepLimits {
  /** Release the client is served as. */
  readonly release: string;
  /** All kept maps together, packed. */
  readonly maxBytes: number;
}

/** What came of it, for the log. */
export interface Kept {
  readonly added: number;
  /** Too large, or more than all may take. */
  readonly passedOver: number;
  /** Of earlier clients, those last used longest ago. */
  readonly removed: number;
  readonly maps: number;
  readonly bytes: number;
}

/**
 * Keeps the maps of the client that is served, those that are not kept yet, and lets go of the ones longest unused where
 * all take too much. One map after the other, each in a statement of its own: ingest has its turn in between.
 *
 * @param needRoom called before each write. @throws where the disk is about to be full.
 */
export async function keepClient(
  db: Database,
  client: ClientMaps,
  { release, maxBytes }: KeepLimits,
  nowMs: number,
  needRoom: () => void = () => undefined,
): Promise<Kept> {
  const known = new Map((await listMaps(db)).map((map) => [map.debugId, map]));
  const found: string[] = [];
  let [added, passedOver, room] = [0, 0, maxBytes];
  for (const [script, id] of client.scripts) {
    await setImmediate();
    const built = id !== null && known.has(id) ? undefined : await client.load(script);
    const debugId = id ?? (built === undefined ? undefined : contentId(built));
    if (debugId === undefined) {
      passedOver += 1;
      continue;
    }
    const size = known.get(debugId)?.size;
    const map = { debugId, script, release, seenMs: nowMs };
    const taken = size ?? (await keep(db, map, built, { room, needRoom }));
    if (taken === null) passedOver += 1;
    else found.push(debugId);
    if (taken !== null && size === undefined) added += 1;
    room -= taken ?? 0;
  }
  await touchMaps(db, found, nowMs, release);
  return { added, passedOver, ...(await makeRoom(db, maxBytes)) };
}

/** Bytes it takes; null where it is not kept. */
async function keep(
  db: Database,
  map: Omit<KeptMap, 'size'>,
  built: BuiltScript | undefined,
  { room, needRoom }: { readonly room: number; readonly needRoom: () => void },
): Promise<number | null> {
  if (built === undefined) return null;
  const body = await packScript(built);
  if (body.byteLength > Math.min(room, MAX_MAP_BYTES)) return null;
  needRoom();
  await insertMap(db, { ...map, size: body.byteLength }, body);
  return body.byteLength;
}

async function makeRoom(
  db: Database,
  maxBytes: number,
): Promise<{ readonly removed: number; readonly maps: number; readonly bytes: number }> {
  const maps = await listMaps(db);
  let bytes = 0;
  const end = maps.findIndex(({ size }, index) => {
    if (index >= MAX_MAPS || bytes + size > maxBytes) return true;
    bytes += size;
    return false;
  });
  const gone = end === -1 ? [] : maps.slice(end);
  await deleteMaps(
    db,
    gone.map(({ debugId }) => debugId),
  );
  return { removed: gone.length, maps: maps.length - gone.length, bytes };
}
