import {
  isIgnored,
  originalPositionFor,
  sourceContentFor,
  TraceMap,
  traceSegment,
} from '@jridgewell/trace-mapping';
import { type FunctionScope, type NamePlace, readFunctionScopes, scopeAt } from './function-scopes.ts';
import { sourceName } from './source-name.ts';

/** A built script and its source map, as they lie on disk. */
export interface BuiltScript {
  readonly map: string;
  /** Null where only the map is left, or no names of functions are wanted. */
  readonly code: string | null;
  /** Where the map lies below the project's root, if known: its sources are then named relative to that root. */
  readonly mapPath?: string;
}

/** One line of source with its 1-based number. */
export interface OriginalLine {
  readonly number: number;
  readonly text: string;
}

/** Where a position of a built script comes from. Line and column count from 1. */
export interface OriginalFrame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Null at the top of a module, and where the name cannot be known for certain. */
  readonly function: string | null;
  readonly isOwn: boolean;
  readonly source: readonly OriginalLine[];
}

/** Lines shown on each side of the failing one. */
const CONTEXT_LINES = 5;
/** Longest line of source that is kept; a person's is shorter, a vendored bundle's is one line. */
const MAX_LINE_LENGTH = 300;
/** Bytes of memory for each character of `mappings`, decoded: measured, about 88 for a segment of 5 characters. */
const BYTES_PER_MAPPING_CHARACTER = 18;
/** Bytes of memory for a function and its name: measured, 82. */
const BYTES_PER_SCOPE = 100;
const IDENTIFIER = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
/** What may stand between the start of a declaration and its name. */
const DECLARATION = /(?:(?:export|default|async|const|let|var|class)\s+|function\b\s*\*?\s*)*/y;

/** A script ready for look-ups: its map decoded, its functions known. */
export class ParsedScript {
  /** Estimate of the memory it holds. */
  readonly bytes: number;
  readonly #map: TraceMap;
  readonly #code: LineIndex | null;
  readonly #scopes: readonly FunctionScope[];
  readonly #sources = new Map<string, LineIndex>();

  /** @throws when the map is no source map. */
  constructor({ map, code, mapPath }: BuiltScript) {
    this.#map = new TraceMap(map, mapPath);
    this.#code = code === null ? null : new LineIndex(code);
    this.#scopes = code === null ? [] : (readFunctionScopes(code) ?? []);
    this.bytes =
      map.length * 2 +
      (code?.length ?? 0) +
      mappingsLength(map) * BYTES_PER_MAPPING_CHARACTER +
      this.#scopes.length * BYTES_PER_SCOPE;
  }

  /** @param line 1-based, as is `column`. Undefined where the map has nothing for it. */
  original(line: number, column: number): OriginalFrame | undefined {
    if (line < 1 || column < 1) return undefined;
    const found = originalPositionFor(this.#map, { line, column: column - 1 });
    if (found.source === null) return undefined;
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
   * Name of the function around a position of the script.
   *
   * Names in a map belong to the identifiers they stand at: at a call that is the callee, not the function
   * around it. So the script itself says which function is around, and the map what its name was. The
   * caller's frame would name it too, but engines disagree on the column of a call, and a callback would get
   * the name of a library's parameter; this way any position in the function gives the same name, in every
   * browser and every build.
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
    // Minifiers keep the names of properties, but not of private ones.
    return place.isKey && !written.startsWith('#') ? written : this.#originalName(place.at);
  }

  #originalName(offset: number): string | null {
    const { line, column } = this.#code?.position(offset) ?? { line: 0, column: 0 };
    const segment = traceSegment(this.#map, line, column);
    // The nearest segment before the name would be about something else.
    if (segment === null || segment[0] !== column || segment.length === 1) return null;
    if (segment.length === 5) return this.#map.names[segment[4]] ?? null;
    const source = this.#map.resolvedSources[segment[1]];
    const text = source === undefined ? undefined : this.#source(source)?.line(segment[2]);
    return text === undefined ? null : identifierAt(text, segment[3]);
  }
}

/** A name that the build left as it was is not in the map's names: the source has it. */
function identifierAt(text: string, column: number): string | null {
  DECLARATION.lastIndex = column;
  DECLARATION.test(text);
  IDENTIFIER.lastIndex = Math.max(column, DECLARATION.lastIndex);
  return IDENTIFIER.exec(text)?.[0] ?? null;
}

function mappingsLength(map: string): number {
  const at = map.indexOf('"mappings"');
  return at === -1 ? 0 : Math.max(0, map.indexOf('"', map.indexOf('"', at + 10) + 1) - at - 10);
}

/** Finds lines of a text without cutting it up. Lines and columns count from 0. */
class LineIndex {
  readonly text: string;
  readonly #starts: Uint32Array;

  constructor(text: string) {
    this.text = text;
    this.#starts = lineStarts(text);
  }

  /** Undefined behind the last line. A line's end may be `\n` or `\r\n`; neither belongs to it. */
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
