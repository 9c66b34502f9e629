import { hasContentHash } from '../../digest/file-path.ts';
import type { ClientMaps } from '../../sourcemap/client-maps.ts';
import { bareDebugId } from '../../sourcemap/source-name.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import type { EventMapper, NamedScript } from '../event/map-event.ts';
import type { KeptMaps } from './kept-maps.ts';

/**
 * Where an event's maps come from: the folder of the client that is served now, then those kept of earlier ones.
 *
 * A path of the folder is believed where it holds a content hash. Where it does not (`app.js`), an old tab's script has
 * the name of today's and another content: then the debug id decides, and without one the release.
 */
export class EventMaps implements EventMapper {
  readonly mapper: SourceMapper;
  readonly #client: ClientMaps;
  readonly #kept: KeptMaps;
  /** The one the folder is served as. */
  readonly #release: string;

  constructor(client: ClientMaps, kept: KeptMaps, release: string) {
    this.#client = client;
    this.#kept = kept;
    this.#release = release;
    this.mapper = new SourceMapper(async (id) => (await client.load(id)) ?? kept.load(id));
  }

  refresh(): Promise<void> {
    return this.#kept.refresh();
  }

  idsOf(script: NamedScript): readonly string[] {
    const ids = this.#idsOf(script);
    for (const id of ids) this.#kept.used(id);
    return ids;
  }

  #idsOf({ url, debugId, release }: NamedScript): readonly string[] {
    const served = this.#client.idOfUrl(url);
    if (served !== undefined && hasContentHash(served)) return [served];
    const named = debugId === null ? null : bareDebugId(debugId);
    const servedId = served === undefined ? null : (this.#client.scripts.get(served) ?? null);
    if (served !== undefined && named !== null && named === servedId) return [served];
    // One that is nowhere is better than the map of another content under the same name.
    if (named !== null && servedId !== null) return [named];
    const kept = this.#kept.idOfUrl(url, release);
    if (served !== undefined) {
      const isOlder = release !== null && release !== this.#release && kept !== undefined;
      return isOlder ? [kept] : [served];
    }
    return [named, kept].filter((id) => typeof id === 'string');
  }
}
