import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { MAP_SUFFIX, readText } from './map-file.ts';
import type { BuiltScript } from './parsed-script.ts';
import { bareDebugId, scriptPathsIn } from './script-paths.ts';

/** Maps of a client; a large one has a few hundred chunks. */
const MAX_MAPS = 5_000;
const SCRIPT_MAP = /\.[cm]?js\.map$/;
/** What the bundler puts at the end of a script. */
const DEBUG_ID_COMMENT = /^\/\/# debugId=([\da-f-]{32,36})\s*$/im;

/**
 * The source maps that lie beside the scripts of a built client: nothing has to be uploaded.
 *
 * A script is known by its debug id (in the map as `debugId` or `debug_id`, in the script as `//# debugId=`),
 * and by its path below the folder, which with a content hash in it is as good. The second way is needed:
 * browsers do not tell a page its scripts' debug ids, and SDKs know them only where a plugin put them in.
 */
export class ClientMaps {
  readonly #directory: string;
  readonly #pathsByDebugId: ReadonlyMap<string, string>;
  /** Debug id of each script by its path; null where it has none. */
  readonly #scripts: ReadonlyMap<string, string | null>;

  private constructor(directory: string, scripts: ReadonlyMap<string, string | null>) {
    this.#directory = directory;
    this.#scripts = scripts;
    this.#pathsByDebugId = new Map(
      [...scripts].flatMap(([path, debugId]) => (debugId === null ? [] : [[debugId, path]])),
    );
  }

  /** Where no client is served. */
  static none(): ClientMaps {
    return new ClientMaps('', new Map());
  }

  /** Reads the folder once: a client does not change while it is served. A missing folder has no maps. */
  static async open(directory: string): Promise<ClientMaps> {
    const scripts = new Map<string, string | null>();
    for (const mapPath of await mapFiles(directory)) {
      const path = mapPath.slice(0, -MAP_SUFFIX.length);
      scripts.set(path, (await debugIdOf(directory, path)) ?? null);
    }
    return new ClientMaps(directory, scripts);
  }

  /** Debug id of each script that has a map, by its path below the folder; null where it has none. */
  get scripts(): ReadonlyMap<string, string | null> {
    return this.#scripts;
  }

  /** @param id a debug id, or what {@link idOfUrl} gave. */
  async load(id: string): Promise<BuiltScript | undefined> {
    const path = this.#pathsByDebugId.get(bareDebugId(id)) ?? (this.#scripts.has(id) ? id : undefined);
    if (path === undefined) return undefined;
    const [map, code] = await Promise.all([
      readText(join(this.#directory, path + MAP_SUFFIX)),
      readText(join(this.#directory, path)),
    ]);
    return map === null ? undefined : { map, code };
  }

  /** The script a URL names, by its path below the folder. */
  idOfUrl(url: string): string | undefined {
    return scriptPathsIn(url).find((path) => this.#scripts.has(path));
  }
}

async function mapFiles(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true }).catch(() => []);
  return entries
    .map((entry) => entry.replaceAll(sep, '/'))
    .filter((entry) => SCRIPT_MAP.test(entry))
    .slice(0, MAX_MAPS);
}

async function debugIdOf(directory: string, scriptPath: string): Promise<string | undefined> {
  const code = await readText(join(directory, scriptPath));
  const comment = DEBUG_ID_COMMENT.exec(code ?? '')?.[1];
  if (comment !== undefined) return bareDebugId(comment);
  const map = parseObject(await readText(join(directory, scriptPath + MAP_SUFFIX)));
  const id = map['debugId'] ?? map['debug_id'];
  return typeof id === 'string' ? bareDebugId(id) : undefined;
}

function parseObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
