import type { Stats } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from './list-files.ts';
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
const SCRIPT = /\.[cm]?js$/;
/** Comment with the URL of a map that is not beside its script (https://tc39.es/ecma426/#sec-linking-generated-code). */
const MAP_URL_COMMENT = /^\/\/[#@] sourceMappingURL=([^\s'"]+)\s*$/gm;
/** Bytes at the end of a script in which that comment is, with a debug id and the license after it. */
const COMMENT_BYTES = 4_096;
/** Comment that the bundler appends to a script. */
const DEBUG_ID_COMMENT = /^\/\/# debugId=([\da-f-]{32,36})\s*$/im;

/** Files of a script. */
interface ScriptFiles {
  readonly code: string;
  readonly map: string;
}

/**
 * The source maps beside the scripts of built clients, or where a script names its map in the same folder, so that no map has to be uploaded.
 *
 * Identifies a script by its debug id (`debugId` or `debug_id` in the map, `//# debugId=` in the script), or by its
 * path below the folder, which is as exact if it contains a content hash. Paths are needed, because browsers do not
 * expose debug ids, and SDKs know them only if a build plugin added them to the script.
 */
export class ClientMaps {
  readonly #clientDirs: readonly string[];
  /** Files of each script, by its path below the folder. */
  #files: ReadonlyMap<string, ScriptFiles> = new Map();
  #pathsByDebugId: ReadonlyMap<string, string> = new Map();
  #scripts: ReadonlyMap<string, string | null> = new Map();
  /** Why a script has no map, by its path below the folder. */
  #unmapped: ReadonlyMap<string, string> = new Map();

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
    const files = new Map<string, ScriptFiles>();
    const scripts = new Map<string, string | null>();
    const unmapped = new Map<string, string>();
    for (const directory of this.#clientDirs) {
      for (const [path, { mapPath, why }] of await scriptsIn(directory)) {
        if (files.has(path) || unmapped.has(path)) continue;
        if (mapPath === undefined) {
          unmapped.set(path, why);
          continue;
        }
        const own = { code: join(directory, path), map: join(directory, mapPath) };
        files.set(path, own);
        scripts.set(path, (await debugIdOf(own)) ?? null);
      }
    }
    this.#files = files;
    this.#scripts = scripts;
    this.#unmapped = unmapped;
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
    const files = path === undefined ? undefined : this.#files.get(path);
    if (files === undefined) return undefined;
    const [map, code] = await Promise.all([
      readBounded(files.map),
      readBounded(files.code).catch(nullIfMissing),
    ]);
    return map === null ? undefined : { map, code };
  }

  /** Returns the path below the folder of the script that a URL names, or undefined. */
  idOfUrl(url: string): string | undefined {
    return scriptPathsIn(url).find((path) => this.#scripts.has(path));
  }

  /** Returns why the script that a URL names has no map; undefined where it has one, and for no script of the folders. */
  whyUnmapped(url: string): string | undefined {
    return scriptPathsIn(url)
      .map((path) => this.#unmapped.get(path))
      .find((why) => why !== undefined);
  }
}

/** The map of a script, by its path below the folder, or why there is none. */
type FoundMap =
  { readonly mapPath: string; readonly why?: never } | { readonly mapPath?: never; readonly why: string };

/** Returns the scripts of a folder with their maps: those beside them, then those that a script names. */
async function scriptsIn(directory: string): Promise<readonly (readonly [string, FoundMap])[]> {
  const entries = new Set(filesIn(directory));
  const maps = [...entries]
    .filter((entry) => SCRIPT_MAP.test(entry))
    .slice(0, MAX_MAPS)
    .map((mapPath): readonly [string, FoundMap] => [mapPath.slice(0, -MAP_SUFFIX.length), { mapPath }]);
  const others = [...entries].filter((entry) => SCRIPT.test(entry) && !entries.has(entry + MAP_SUFFIX));
  for (const script of others.slice(0, MAX_MAPS - maps.length)) {
    maps.push([script, await namedMap(directory, script, entries)]);
  }
  return maps;
}

/** A missing folder has no files. A map whose link is broken is named as unreadable. */
function filesIn(directory: string): readonly string[] {
  try {
    return listFiles(directory, true);
  } catch {
    return [];
  }
}

/** Finds the map that a script names. A map inside the script is not read: it would have to be served with it. */
async function namedMap(directory: string, script: string, entries: ReadonlySet<string>): Promise<FoundMap> {
  const end = await readEnd(join(directory, script)).catch(() => '');
  const url = [...end.matchAll(MAP_URL_COMMENT)].at(-1)?.[1];
  if (url === undefined) return { why: 'has no source map' };
  if (/^data:/i.test(url)) return { why: 'has its source map in a data: URL, which is not read' };
  const root = 'http://client.invalid';
  const named = URL.parse(url, `${root}/${script}`);
  // A URL has no `..` any more, and only a listed file counts.
  const mapPath = named?.origin === root ? decoded(named.pathname.slice(1)) : '';
  if (entries.has(mapPath)) return { mapPath };
  return { why: 'names a source map that is not in its folder' };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

async function readEnd(file: string): Promise<string> {
  const { size } = await statFile(file);
  await using handle = await open(file);
  const position = Math.max(0, size - COMMENT_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(COMMENT_BYTES), { position });
  return buffer.toString('utf8', 0, bytesRead);
}

async function debugIdOf({ code: script, map: mapFile }: ScriptFiles): Promise<string | undefined> {
  const code = await readText(script);
  const comment = DEBUG_ID_COMMENT.exec(code ?? '')?.[1];
  if (comment !== undefined) return bareDebugId(comment);
  const map = parseObject(await readText(mapFile));
  const id = map['debugId'] ?? map['debug_id'];
  return typeof id === 'string' ? bareDebugId(id) : undefined;
}

/** Reads a file. Resolves to null if it does not exist, is too large or cannot be read. */
export function readText(file: string): Promise<string | null> {
  return readBounded(file).catch(() => null);
}

/** Reads a file. Resolves to null if it is too large. @throws when it cannot be read. */
async function readBounded(file: string): Promise<string | null> {
  const { size } = await statFile(file);
  return size <= MAX_FILE_BYTES ? await readFile(file, 'utf8') : null;
}

/** @throws when it is no regular file: opening a FIFO would never end. */
async function statFile(file: string): Promise<Stats> {
  const status = await stat(file);
  if (!status.isFile()) throw new Error(`${file} is not a regular file`);
  return status;
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
