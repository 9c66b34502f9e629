import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { BuiltScript } from './parsed-script.ts';
import { bareDebugId, scriptPathsIn } from './source-name.ts';

/** What a map's name has behind its script's, where both lie side by side. */
export const MAP_SUFFIX = '.map';
/** A larger map would take more memory than the thread has. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Maps of a client; a large one has a few hundred chunks. */
const MAX_MAPS = 5_000;
const SCRIPT_MAP = /\.[cm]?js\.map$/;
/** What the bundler puts at the end of a script. */
const DEBUG_ID_COMMENT = /^\/\/# debugId=([\da-f-]{32,36})\s*$/im;

/**
 * The source maps that lie beside the scripts of built clients: nothing has to be uploaded.
 *
 * A script is known by its debug id (in the map as `debugId` or `debug_id`, in the script as `//# debugId=`),
 * and by its path below the folder, which with a content hash in it is as good. The second way is needed:
 * browsers do not tell a page its scripts' debug ids, and SDKs know them only where a plugin put them in.
 */
export class ClientMaps {
  /** The folder each script lies in, by its path below it. */
  readonly #directories: ReadonlyMap<string, string>;
  readonly #pathsByDebugId: ReadonlyMap<string, string>;
  readonly #scripts: ReadonlyMap<string, string | null>;

  private constructor(directories: ReadonlyMap<string, string>, scripts: ReadonlyMap<string, string | null>) {
    this.#directories = directories;
    this.#scripts = scripts;
    this.#pathsByDebugId = new Map(
      [...scripts].flatMap(([path, debugId]) => (debugId === null ? [] : [[debugId, path]])),
    );
  }

  /**
   * Reads the folders once: a client does not change while it is served. A missing folder has no maps, and a script in
   * two of them is the first one's, as it is for browsers.
   */
  static async open(...clientDirs: readonly string[]): Promise<ClientMaps> {
    const directories = new Map<string, string>();
    const scripts = new Map<string, string | null>();
    for (const directory of clientDirs) {
      for (const mapPath of await mapFiles(directory)) {
        const path = mapPath.slice(0, -MAP_SUFFIX.length);
        if (directories.has(path)) continue;
        directories.set(path, directory);
        scripts.set(path, (await debugIdOf(directory, path)) ?? null);
      }
    }
    return new ClientMaps(directories, scripts);
  }

  /** Debug id of each script that has a map, by its path below the folder; null where it has none. */
  get scripts(): ReadonlyMap<string, string | null> {
    return this.#scripts;
  }

  /** @param id a debug id, or what {@link idOfUrl} gave. */
  async load(id: string): Promise<BuiltScript | undefined> {
    const path = this.#pathsByDebugId.get(bareDebugId(id)) ?? (this.#scripts.has(id) ? id : undefined);
    const directory = path === undefined ? undefined : this.#directories.get(path);
    if (path === undefined || directory === undefined) return undefined;
    const [map, code] = await Promise.all([
      readText(join(directory, path + MAP_SUFFIX)),
      readText(join(directory, path)),
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

/** Null when there is no such file, or it cannot be read. */
export async function readText(file: string): Promise<string | null> {
  try {
    const status = await stat(file);
    return status.isFile() && status.size <= MAX_FILE_BYTES ? await readFile(file, 'utf8') : null;
  } catch {
    return null;
  }
}

function parseObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
