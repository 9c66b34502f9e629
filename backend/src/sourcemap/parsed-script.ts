import {
  isIgnored,
  originalPositionFor,
  sourceContentFor,
  type TraceMap,
  traceSegment,
} from '@jridgewell/trace-mapping';
import { type FunctionScope, type NamePlace, readFunctionScopes, scopeAt } from './function-scopes.ts';
import { readMap } from './read-map.ts';
import { sourceName } from './source-name.ts';

/** A built script and its source map, as on disk. */
export interface BuiltScript {
  readonly map: string;
  /** Null if only the map exists, or if names of functions are not needed. */
  readonly code: string | null;
  /** Path of the map below the project's root, if known: the names of its sources are then relative to that root. */
  readonly mapPath?: string;
}

/** One line of source with its 1-based number. */
export interface OriginalLine {
  readonly number: number;
  readonly text: string;
}

/** The original position of a position in a built script. Line and column are 1-based. */
export interface OriginalFrame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Null at the top level of a module, and if the name is not certain. */
  readonly function: string | null;
  readonly isOwn: boolean;
  readonly source: readonly OriginalLine[];
}

/** Number of source lines before and after the failing one. */
const CONTEXT_LINES = 5;
/** Maximum length of a stored source line, characters: written lines are shorter, a bundle can be one long line. */
const MAX_LINE_LENGTH = 300;
/** Bytes of memory for each character of `mappings`, decoded: measured, about 88 for a segment of 5 characters. */
const BYTES_PER_MAPPING_CHARACTER = 18;
/** Bytes of memory for a function and its name: measured, 82. */
const BYTES_PER_SCOPE = 100;
const IDENTIFIER = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
/** Text between the start of a declaration and its name. */
const DECLARATION = /(?:(?:export|default|async|const|let|var|class)\s+|function\b\s*\*?\s*)*/y;

/** A script with its decoded map and its functions, ready for reads. */
export class ParsedScript {
  /** Estimated memory, bytes. */
  readonly bytes: number;
  readonly #map: TraceMap;
  readonly #code: LineIndex | null;
  readonly #scopes: readonly FunctionScope[];
  readonly #sources = new Map<string, LineIndex>();

  /** @throws Error if the map is no source map. */
  constructor({ map, code, mapPath }: BuiltScript) {
    const { map: decoded, mappingsLength } = readMap(map, mapPath);
    this.#map = decoded;
    this.#code = code === null ? null : new LineIndex(code);
    this.#scopes = code === null ? [] : (readFunctionScopes(code) ?? []);
    this.bytes =
      map.length * 2 +
      (code?.length ?? 0) +
      mappingsLength * BYTES_PER_MAPPING_CHARACTER +
      this.#scopes.length * BYTES_PER_SCOPE;
  }

  /**
   * Returns the original frame of a position, or undefined if the map has none.
   *
   * @param line 1-based, like `column`.
   */
  original(line: number, column: number): OriginalFrame | undefined {
    if (line < 1 || column < 1) return undefined;
    const found = originalPositionFor(this.#map, { line, column: column - 1 });
    // A source may have no name (https://tc39.es/ecma426/#json-sources).
    if (found.source === null || found.source === '') return undefined;
    const name = sourceName(found.source);
    return {
      file: name.file,
      line: found.line,
      column: found.column + 1,
      function: this.#functionAt(line - 1, column - 1),
      isOwn: name.isOwn && !isIgnored(this.#map, found.source),
      source: this.#linesAround(found.source, found.line),
    };
  }

  #linesAround(source: string, line: number): readonly OriginalLine[] {
    const lines = this.#source(source);
    const around: OriginalLine[] = [];
    for (let number = Math.max(1, line - CONTEXT_LINES); number <= line + CONTEXT_LINES; number += 1) {
      const text = lines?.line(number - 1);
      if (text !== undefined) around.push({ number, text: text.slice(0, MAX_LINE_LENGTH) });
    }
    return around;
  }

  #source(source: string): LineIndex | undefined {
    const known = this.#sources.get(source);
    if (known !== undefined) return known;
    const content = sourceContentFor(this.#map, source);
    if (content === null) return undefined;
    const index = new LineIndex(content);
    this.#sources.set(source, index);
    return index;
  }

  /**
   * Returns the original name of the function around a position of the script.
   *
   * A name in a map belongs to the identifier at its position: at a call that is the callee and not the function
   * around it. So the function is found in the script, and its original name in the map. The caller's frame has the
   * name too, but engines disagree on the column of a call, and a callback would get the name of a library's
   * parameter. With this method every position in a function has the same name, in every browser and every build.
   */
  #functionAt(line: number, column: number): string | null {
    if (this.#code === null) return null;
    const scope = scopeAt(this.#scopes, this.#code.offset(line, column));
    if (scope === null) return null;
    const name = this.#nameOf(scope.name);
    if (name !== null) return name;
    for (let outer = scope.parent; outer !== null; outer = outer.parent) {
      const outerName = this.#nameOf(outer.name);
      if (outerName !== null) return `${outerName}.<anonymous>`;
    }
    return '<anonymous>';
  }

  #nameOf(place: NamePlace | null): string | null {
    if (place === null || this.#code === null) return null;
    const written = this.#code.text.slice(place.at, place.end);
    // Minifiers keep the names of properties, except private ones.
    return place.isKey && !written.startsWith('#') ? written : this.#originalName(place.at);
  }

  #originalName(offset: number): string | null {
    const { line, column } = this.#code?.position(offset) ?? { line: 0, column: 0 };
    const segment = traceSegment(this.#map, line, column);
    // A segment before the name belongs to another identifier.
    if (segment === null || segment[0] !== column || segment.length === 1) return null;
    if (segment.length === 5) return this.#map.names[segment[4]] ?? null;
    const source = this.#map.resolvedSources[segment[1]];
    const text = source === undefined ? undefined : this.#source(source)?.line(segment[2]);
    return text === undefined ? null : identifierAt(text, segment[3]);
  }
}

/** Returns the identifier in the source: names that the build did not change are not in the map's list of names. */
function identifierAt(text: string, column: number): string | null {
  DECLARATION.lastIndex = column;
  DECLARATION.test(text);
  IDENTIFIER.lastIndex = Math.max(column, DECLARATION.lastIndex);
  return IDENTIFIER.exec(text)?.[0] ?? null;
}

/** Finds lines of a text without splitting it. Lines and columns are 0-based. */
class LineIndex {
  readonly text: string;
  readonly #starts: Uint32Array;

  constructor(text: string) {
    this.text = text;
    this.#starts = lineStarts(text);
  }

  /** Returns a line without its `\n` or `\r\n`, or undefined after the last line. */
  line(number: number): string | undefined {
    const start = this.#starts[number];
    if (start === undefined) return undefined;
    const next = this.#starts[number + 1];
    return this.text.slice(start, next === undefined ? undefined : next - 1).replace(/\r$/, '');
  }

  offset(line: number, column: number): number {
    return (this.#starts[line] ?? this.text.length) + column;
  }

  position(offset: number): { readonly line: number; readonly column: number } {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? Infinity) <= offset) low = middle;
      else high = middle;
    }
    return { line: low, column: offset - (this.#starts[low] ?? 0) };
  }
}

function lineStarts(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return Uint32Array.from(starts);
}
