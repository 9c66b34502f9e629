import { namesContent } from '../../digest/file-path.ts';
import { unpackScript } from '../../sourcemap/packed-script.ts';
import type { BuiltScript } from '../../sourcemap/parsed-script.ts';
import { scriptPathsIn } from '../../sourcemap/source-name.ts';
import { DAY_MS } from '../../time/iso.ts';
import type { Database } from '../db/schema.ts';
import { listMaps, readMap, type StoredMap, touchMaps } from './map-rows.ts';

/** Age at which the list is read again. Within this time a replica uses the maps that another replica stored. */
const REFRESH_MS = 15_000;
/** The last use of a map is written at most this often: maps are removed by ages of weeks. */
const TOUCH_MS = DAY_MS;

/**
 * The source maps in the database, of this client and of earlier ones. A tab that was opened before a deploy fails in
 * scripts that no folder has any more.
 *
 * The list of maps is in memory (some thousand names), so that scripts of third parties, which most stacks contain, cost
 * no query. A map's bytes are read when an event needs them.
 */
export class StoredMaps {
  readonly #db: Database;
  readonly #now: () => number;
  #refreshedMs = -Infinity;
  #byId: ReadonlyMap<string, StoredMap> = new Map();
  /** Most recently used first. */
  #byScript: ReadonlyMap<string, readonly StoredMap[]> = new Map();
  /** Debug ids that events used since the last refresh. */
  readonly #used = new Set<string>();

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Reads the list again where it is old, and writes which maps were used. @throws when the database is unreachable. */
  async refresh(): Promise<void> {
    const nowMs = this.#now();
    if (Math.abs(nowMs - this.#refreshedMs) < REFRESH_MS) return;
    await this.#touchUsed(nowMs);
    const maps = await listMaps(this.#db);
    this.#byId = new Map(maps.map((map) => [map.debugId, map]));
    this.#byScript = Map.groupBy(maps, ({ script }) => script);
    this.#refreshedMs = nowMs;
  }

  /**
   * Returns the debug id of the map for a script's URL. A content hash in the name identifies the script as a debug id
   * does. Without one only a map of the event's own release matches, the newest where there are several.
   */
  idOfUrl(url: string, release: string | null): string | undefined {
    for (const path of scriptPathsIn(url)) {
      const maps = this.#byScript.get(path);
      if (maps === undefined) continue;
      if (namesContent(path)) return maps[0]?.debugId;
      return release === null ? undefined : maps.find((map) => map.release === release)?.debugId;
    }
    return undefined;
  }

  /** Records the use of a map. */
  used(debugId: string): void {
    if (this.#byId.has(debugId)) this.#used.add(debugId);
  }

  /** Loads a map; undefined where there is none or its bytes are damaged. */
  async load(debugId: string): Promise<BuiltScript | undefined> {
    if (!this.#byId.has(debugId)) return undefined;
    const body = await readMap(this.#db, debugId);
    return body === undefined ? undefined : unpackScript(body);
  }

  async #touchUsed(nowMs: number): Promise<void> {
    const old = [...this.#used].filter((id) => nowMs - (this.#byId.get(id)?.seenMs ?? nowMs) > TOUCH_MS);
    if (old.length > 0) await touchMaps(this.#db, old, nowMs);
    this.#used.clear();
  }
}
