import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { BuiltScript } from './parsed-script.ts';
import { parseMapText } from './read-map.ts';
import { bareDebugId, scriptPathsIn } from './source-name.ts';

/** Suffix of a map's name, beside its script. */
export const MAP_SUFFIX = '.map';
/** Maximum size of a file: a larger map would need more memory than the thread has. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Maximum number of maps of a client; a large one has a few hundred chunks. */
const MAX_MAPS = 5_000;
const SCRIPT_MAP = /\.[cm]?js\.map$/;
/** Comment that the bundler appends to a script. */
const DEBUG_ID_COMMENT = /^\/\/# debugId=([\da-f-]{32,36})\s*$/im;

/**
 * The source maps beside the scripts of built clients, so that no map has to be uploaded.
 *
 * Identifies a script by its debug id (`debugId` or `debug_id` in the map, `//# debugId=` in the script), or by its
 * path below the folder, which is as exact if it contains a content hash. Paths are needed, because browsers do not
 * expose debug ids, and SDKs know them only if a build plugin added them to the script.
 */
export class ClientMaps {
  readonly #clientDirs: readonly string[];
  /** Folder of each script, by its path below the folder. */
  #directories: ReadonlyMap<string, string> = new Map();
  #pathsByDebugId: ReadonlyMap<string, string> = new Map();
  #scripts: ReadonlyMap<string, string | null> = new Map();

  private constructor(clientDirs: readonly string[]) {
    this.#clientDirs = clientDirs;
  }

  static async open(...clientDirs: readonly string[]): Promise<ClientMaps> {
    const maps = new ClientMaps(clientDirs);
    await maps.read();
    return maps;
  }

  /**
   * Reads the folders, at first and after each new build in them. A missing folder has no maps. For a script in two folders
   * the first one wins, as it does for browsers.
   */
  async read(): Promise<void> {
    const directories = new Map<string, string>();
    const scripts = new Map<string, string | null>();
    for (const directory of this.#clientDirs) {
      for (const mapPath of await mapFiles(directory)) {
        const path = mapPath.slice(0, -MAP_SUFFIX.length);
        if (directories.has(path)) continue;
        directories.set(path, directory);
        scripts.set(path, (await debugIdOf(directory, path)) ?? null);
      }
    }
    this.#directories = directories;
    this.#scripts = scripts;
    this.#pathsByDebugId = new Map(
      [...scripts].flatMap(([path, debugId]) => (debugId === null ? [] : [[debugId, path]])),
    );
  }

  /** Debug id of each script with a map, by its path below the folder; null without a debug id. */
  get scripts(): ReadonlyMap<string, string | null> {
    return this.#scripts;
  }

  /**
   * Loads a script and its map. Resolves to undefined without a map, and for one that is too large.
   *
   * @param id a debug id, or a result of {@link idOfUrl}. @throws when the map or its script cannot be read.
   */
  async load(id: string): Promise<BuiltScript | undefined> {
    const path = this.#pathsByDebugId.get(bareDebugId(id)) ?? (this.#scripts.has(id) ? id : undefined);
    const directory = path === undefined ? undefined : this.#directories.get(path);
    if (path === undefined || directory === undefined) return undefined;
    const [map, code] = await Promise.all([
      readBounded(join(directory, path + MAP_SUFFIX)),
      readBounded(join(directory, path)).catch(nullIfMissing),
    ]);
    return map === null ? undefined : { map, code };
  }

  /** Returns the path below the folder of the script that a URL names, or undefined. */
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

/** Reads a file. Resolves to null if it does not exist, is too large or cannot be read. */
export function readText(file: string): Promise<string | null> {
  return readBounded(file).catch(() => null);
}

/** Reads a file. Resolves to null if it is too large. @throws when it cannot be read: opening a FIFO would never end. */
async function readBounded(file: string): Promise<string | null> {
  const status = await stat(file);
  if (!status.isFile()) throw new Error(`${file} is not a regular file`);
  return status.size <= MAX_FILE_BYTES ? await readFile(file, 'utf8') : null;
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function parseObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value = parseMapText(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
