import { hasContentHash } from '../../digest/file-path.ts';
import { unpackScript } from '../../sourcemap/packed-script.ts';
import type { BuiltScript } from '../../sourcemap/parsed-script.ts';
import { scriptPathsIn } from '../../sourcemap/source-name.ts';
import type { Database } from '../db/schema.ts';
import { type KeptMap, listMaps, readMap, touchMaps } from './map-rows.ts';

/** How old the list may be: so soon a replica maps what another one, with a newer client, has brought. */
const REFRESH_MS = 15_000;
/** A map's last use is written no more often: what goes first is decided in weeks. */
const TOUCH_MS = 24 * 60 * 60 * 1000;

/**
 * The maps of this client and of earlier ones, kept in the database: a tab that was opened before a deploy fails in
 * scripts that no folder has any more.
 *
 * Which maps there are is known in memory (some thousand names), so that the scripts of strangers, which stacks are full
 * of, cost no query; a map's bytes are read when an event needs them.
 */
export class KeptMaps {
  readonly #db: Database;
  readonly #now: () => number;
  #refreshedMs = -Infinity;
  #byId: ReadonlyMap<string, KeptMap> = new Map();
  /** Last seen first. */
  #byScript: ReadonlyMap<string, readonly KeptMap[]> = new Map();
  /** Those an event used since the last refresh. */
  readonly #used = new Set<string>();

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Brings the list up to date where it is old, and writes which maps were used. @throws when the database is away. */
  async refresh(): Promise<void> {
    const nowMs = this.#now();
    if (Math.abs(nowMs - this.#refreshedMs) < REFRESH_MS) return;
    await this.#touchUsed(nowMs);
    const maps = await listMaps(this.#db);
    this.#byId = new Map(maps.map((map) => [map.debugId, map]));
    this.#byScript = Map.groupBy(maps, ({ script }) => script);
    this.#refreshedMs = nowMs;
  }

  /** @param debugId 32 hex digits. */
  has(debugId: string): boolean {
    return this.#byId.has(debugId);
  }

  /**
   * Debug id of the map of the script that a URL names. A content hash in the name makes it as good as the id itself;
   * without one only a map of the event's own release is that script's, the newest if there are more.
   */
  idOfUrl(url: string, release: string | null): string | undefined {
    for (const path of scriptPathsIn(url)) {
      const maps = this.#byScript.get(path);
      if (maps === undefined) continue;
      if (hasContentHash(path)) return maps[0]?.debugId;
      return release === null ? undefined : maps.find((map) => map.release === release)?.debugId;
    }
    return undefined;
  }

  used(debugId: string): void {
    if (this.#byId.has(debugId)) this.#used.add(debugId);
  }

  /** Undefined when there is none, or its bytes are damaged. */
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
