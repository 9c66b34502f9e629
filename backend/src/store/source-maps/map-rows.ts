import type { Database } from '../db/schema.ts';

/** A kept map without its bytes. */
export interface KeptMap {
  /** 32 hex digits. */
  readonly debugId: string;
  /** Path of the script below its client. */
  readonly script: string;
  readonly release: string | null;
  /** When a start last found it in its client, or an event used it; exact to a day. */
  readonly seenMs: number;
  /** Bytes it takes. */
  readonly size: number;
}

/** Ids of one statement: a few KiB of parameters, far below what both databases take. */
const CHUNK = 500;

/** Last seen first. */
export async function listMaps(db: Database): Promise<readonly KeptMap[]> {
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

/** A replica may have written it meanwhile: the content is the same. */
export async function insertMap(db: Database, map: KeptMap, body: Uint8Array): Promise<void> {
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

/** @param release that has them now, or undefined to leave it. */
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
