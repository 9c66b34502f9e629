import { namesContent } from '../../digest/file-path.ts';
import type { ClientMaps } from '../../sourcemap/client-maps.ts';
import { isOnHost } from '../../net/own-origin.ts';
import { bareDebugId } from '../../sourcemap/source-name.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import type { EventMapper, NamedScript } from '../event/map-event.ts';
import { originOf } from '../event/report-places.ts';
import type { StoredMaps } from './stored-maps.ts';

/** The client that is served, as far as it tells its scripts from others of the same name. */
export interface ServedClient {
  readonly release: string;
  /** ERRATA_PUBLIC_URL. */
  readonly publicOrigin: string | null;
  /** The allowed projects of other applications. */
  readonly otherProjects: readonly string[];
}

/** A map that a script's path and release name, or the reason why it is not that of the script; neither without one. */
interface NamedMap {
  readonly id?: string;
  readonly unfit?: string;
}

/**
 * Finds the source maps for an event: in the folder of the client that is served now, then among the stored maps of
 * earlier clients.
 *
 * A debug id or a content hash in the path identifies a script, on any host. A path without a hash (`assets/index.js`) does
 * not: a widget, an extension and another application have such a script, too, and an old tab's has the same name as
 * the current one but another content. Such a path counts only for a script of the own host, in an event of the client's own
 * project and release. The own host is that of the public origin, or the one that the sender of the event has requested, which
 * serves every browser that opens this client. The event names its page itself, so the page proves nothing.
 */
export class EventMaps implements EventMapper {
  readonly mapper: SourceMapper;
  readonly #client: ClientMaps;
  readonly #stored: StoredMaps;
  readonly #served: ServedClient;

  constructor(client: ClientMaps, stored: StoredMaps, served: ServedClient) {
    this.#client = client;
    this.#stored = stored;
    this.#served = served;
    const load = (id: string) => client.load(id).catch(() => undefined);
    this.mapper = new SourceMapper(async (id) => (await load(id)) ?? stored.load(id));
  }

  refresh(): Promise<void> {
    return this.#stored.refresh();
  }

  idsOf(script: NamedScript): readonly string[] {
    const ids = this.#idsOf(script);
    for (const id of ids) this.#stored.used(id);
    return ids;
  }

  unfit(script: NamedScript): string | undefined {
    const { unfit } = this.#named(script);
    if (unfit !== undefined) return `${unfit}; a script of the same name has one`;
    const why = this.#client.whyUnmapped(script.url);
    return why === undefined ? undefined : `the script of that name in the served client ${why}`;
  }

  #idsOf(script: NamedScript): readonly string[] {
    const debugId = script.debugId === null ? undefined : bareDebugId(script.debugId);
    const served = this.#client.idOfUrl(script.url);
    if (served !== undefined && namesContent(served)) return [served];
    const servedId = served === undefined ? null : (this.#client.scripts.get(served) ?? null);
    // An id without a map is better than the map of another content under the same name.
    if (debugId !== undefined && servedId !== null) return [debugId];
    return [debugId, this.#named(script).id].filter((id) => id !== undefined);
  }

  #named(script: NamedScript): NamedMap {
    const { url, release } = script;
    const served = this.#client.idOfUrl(url);
    const stored = this.#stored.idOfUrl(url, release);
    const id = served ?? stored;
    if (id === undefined) return {};
    if (namesContent(url)) return { id };
    if (!this.#isOwnHost(script)) return { unfit: 'it is from another host than this server' };
    if (this.#served.otherProjects.includes(script.project))
      return { unfit: 'the served client reports to another project' };
    if (release === null || release === this.#served.release) return { id };
    return stored === undefined
      ? { unfit: `the served client is of release ${this.#served.release}` }
      : { id: stored };
  }

  #isOwnHost({ url, host }: NamedScript): boolean {
    const origin = originOf(url);
    return origin !== null && (isOnHost(origin, host) || origin === this.#served.publicOrigin);
  }
}
