import { FlattenMap, type TraceMap } from '@jridgewell/trace-mapping';
import { removeSharedRoot } from './shared-root.ts';

/** Line before the JSON, so that no page can run a map as a script (https://tc39.es/ecma426/#sec-FetchSourceMap). */
const GUARD_LINE = /^\)\]\}'[^\r\n]*/;
/** Most lines of a script before a section: the lines take memory, and the largest bundles have some 100,000. */
const MAX_OFFSET_LINE = 1_000_000;

/** A source map, and the length of all its `mappings` together. */
export interface ReadMap {
  readonly map: TraceMap;
  readonly mappingsLength: number;
}

/** A map without sections, as far as it is read here. Each source has its content or null. */
interface PlainMap {
  sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
  readonly mappings: string;
}

/**
 * Reads a source map in every form of ECMA-426: plain, in sections (index map), with a byte order mark, and with the line
 * that keeps it from being run. Absolute names of sources lose the folder that they share.
 *
 * @param path of the map, if known; sources are relative to it.
 * @throws Error if the text is no source map.
 */
export function readMap(text: string, path?: string): ReadMap {
  const plain: PlainMap[] = [];
  const parsed = readParts(parseMapText(text), plain);
  const names = removeSharedRoot(plain.flatMap(({ sources }) => sources));
  let at = 0;
  for (const each of plain) {
    const { length } = each.sources;
    each.sources = names.slice(at, at + length);
    at += length;
  }
  return {
    map: new FlattenMap(parsed as ConstructorParameters<typeof FlattenMap>[0], path),
    mappingsLength: plain.reduce((sum, { mappings }) => sum + mappings.length, 0),
  };
}

/** Parses the JSON of a map. @throws SyntaxError if it is none. */
export function parseMapText(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, '').replace(GUARD_LINE, ''));
}

/** Checks a map and its sections. @param plain gets the maps without sections. */
function readParts(map: unknown, plain: PlainMap[]): object {
  if (!isObject(map)) throw new Error('the map is no object');
  if (!('sections' in map)) {
    const read = { ...map, ...plainMap(map) };
    plain.push(read);
    return read;
  }
  if (!Array.isArray(map.sections)) throw new Error('the sections are no list');
  const sections = (map.sections as readonly unknown[]).map((section) => {
    const { offset, map: part } = { offset: null, map: null, ...(isObject(section) ? section : {}) };
    if (!isOffset(offset)) throw new Error('a section has no offset');
    return { offset, map: readParts(part, plain) };
  });
  return { ...map, sections };
}

function plainMap(map: object): PlainMap & { readonly sourceRoot: string } {
  const { sources, sourcesContent, sourceRoot, mappings } = {
    sources: null,
    sourcesContent: null,
    sourceRoot: null,
    mappings: null,
    ...map,
  } as Readonly<Record<keyof PlainMap | 'sourceRoot', unknown>>;
  if (!Array.isArray(sources) || typeof mappings !== 'string') throw new Error('the map has no mappings');
  const prefix = typeof sourceRoot === 'string' && sourceRoot !== '' ? `${sourceRoot}/` : '';
  const contents: readonly unknown[] = Array.isArray(sourcesContent) ? sourcesContent : [];
  return {
    sources: sources.map((source: unknown) => (typeof source === 'string' ? prefix + source : '')),
    sourcesContent: sources.map((_, index) => {
      const content = contents[index];
      return typeof content === 'string' ? content : null;
    }),
    sourceRoot: '',
    mappings,
  };
}

function isOffset(offset: unknown): boolean {
  if (!isObject(offset) || !('line' in offset) || !('column' in offset)) return false;
  return isCount(offset.line) && offset.line <= MAX_OFFSET_LINE && isCount(offset.column);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
