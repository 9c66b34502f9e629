import { namesContent } from '../../digest/file-path.ts';
import type { ClientMaps } from '../../sourcemap/client-maps.ts';
import { bareDebugId } from '../../sourcemap/source-name.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import type { EventMapper, NamedScript } from '../event/map-event.ts';
import type { StoredMaps } from './stored-maps.ts';

/**
 * Finds the source maps for an event: in the folder of the client that is served now, then among the stored maps of
 * earlier clients.
 *
 * A path with a content hash identifies a script. A path without one (`app.js`) does not: an old tab's script has the
 * same name as the current one but another content. There the debug id decides, and without one the release.
 */
export class EventMaps implements EventMapper {
  readonly mapper: SourceMapper;
  readonly #client: ClientMaps;
  readonly #stored: StoredMaps;
  /** Release under which the folder is served. */
  readonly #release: string;

  constructor(client: ClientMaps, stored: StoredMaps, release: string) {
    this.#client = client;
    this.#stored = stored;
    this.#release = release;
    const served = (id: string) => client.load(id).catch(() => undefined);
    this.mapper = new SourceMapper(async (id) => (await served(id)) ?? stored.load(id));
  }

  refresh(): Promise<void> {
    return this.#stored.refresh();
  }

  idsOf(script: NamedScript): readonly string[] {
    const ids = this.#idsOf(script);
    for (const id of ids) this.#stored.used(id);
    return ids;
  }

  #idsOf({ url, debugId, release }: NamedScript): readonly string[] {
    const served = this.#client.idOfUrl(url);
    if (served !== undefined && namesContent(served)) return [served];
    const named = debugId === null ? null : bareDebugId(debugId);
    const servedId = served === undefined ? null : (this.#client.scripts.get(served) ?? null);
    if (served !== undefined && named !== null && named === servedId) return [served];
    // An id without a map is better than the map of another content under the same name.
    if (named !== null && servedId !== null) return [named];
    const stored = this.#stored.idOfUrl(url, release);
    if (served !== undefined) {
      const isOlder = release !== null && release !== this.#release && stored !== undefined;
      return isOlder ? [stored] : [served];
    }
    return [named, stored].filter((id) => typeof id === 'string');
  }
}
