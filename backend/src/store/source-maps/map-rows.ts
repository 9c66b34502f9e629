import type { Database } from '../db/schema.ts';

/** A stored map without its bytes. */
export interface StoredMap {
  /** 32 hex digits. */
  readonly debugId: string;
  /** Path of the script below its client. */
  readonly script: string;
  readonly release: string | null;
  /** Time of its last use, by a start that served its client or by an event; exact to a day. */
  readonly seenMs: number;
  /** Bytes. */
  readonly size: number;
}

/** Ids in one statement: a few KiB of parameters, far below the limits of both databases. */
const CHUNK = 500;

/** Lists all maps, most recently used first. */
export async function listMaps(db: Database): Promise<readonly StoredMap[]> {
  const rows = await db
    .selectFrom('source_map')
    .select(['debug_id', 'script', 'release', 'seen_ms', 'size'])
    .orderBy('seen_ms', 'desc')
    .orderBy('debug_id')
    .execute();
  return rows.map(({ debug_id: debugId, script, release, seen_ms: seenMs, size }) => ({
    debugId,
    script,
    release,
    seenMs,
    size,
  }));
}

export async function readMap(db: Database, debugId: string): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('source_map')
    .select('body')
    .where('debug_id', '=', debugId)
    .executeTakeFirst();
  return row?.body;
}

/** Writes a map. Another replica may have written it meanwhile; the content is then the same. */
export async function insertMap(db: Database, map: StoredMap, body: Uint8Array): Promise<void> {
  await db
    .insertInto('source_map')
    .values({
      debug_id: map.debugId,
      script: map.script,
      release: map.release,
      seen_ms: map.seenMs,
      size: map.size,
      body,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Writes the last use of maps. @param release that has them now; undefined leaves it unchanged. */
export async function touchMaps(
  db: Database,
  debugIds: readonly string[],
  seenMs: number,
  release?: string,
): Promise<void> {
  for (const part of inChunks(debugIds)) {
    await db
      .updateTable('source_map')
      .set(release === undefined ? { seen_ms: seenMs } : { seen_ms: seenMs, release })
      .where('debug_id', 'in', part)
      .execute();
  }
}

export async function deleteMaps(db: Database, debugIds: readonly string[]): Promise<void> {
  for (const part of inChunks(debugIds)) {
    await db.deleteFrom('source_map').where('debug_id', 'in', part).execute();
  }
}

function inChunks(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / CHUNK);
  return Array.from({ length: count }, (_, index) => ids.slice(index * CHUNK, (index + 1) * CHUNK));
}
