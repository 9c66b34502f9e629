import { type BuiltScript, type OriginalFrame, ParsedScript } from './parsed-script.ts';

/**
 * sourcemap/ maps a position in a built script to the original file, line and function. {@link LoadScript} provides
 * the maps. It must never import other folders of Errata, never read a whole event, and never throw on a damaged map.
 * Parsing is synchronous and slow (286 ms for a map of 3.8 MB), so it must run in a worker thread.
 */

/** Loads the script with this debug id; resolves to undefined if there is none. */
export type LoadScript = (debugId: string) => Promise<BuiltScript | undefined>;

export type Mapping =
  | { readonly outcome: 'mapped'; readonly frame: OriginalFrame }
  | { readonly outcome: 'no_map' | 'bad_map' | 'no_position' };

/** Memory for parsed scripts; the three or four chunks in the stack of an error take 5 to 30 MiB. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** Maps positions, and caches the parsed scripts. */
export class SourceMapper {
  readonly #load: LoadScript;
  readonly #maxBytes: number;
  /** Cache in order of use, the least recently used first. Null: the map is invalid, and stays invalid. */
  #scripts = new Map<string, ParsedScript | null>();
  #bytes = 0;

  constructor(load: LoadScript, maxBytes: number = DEFAULT_MAX_BYTES) {
    this.#load = load;
    this.#maxBytes = maxBytes;
  }

  /**
   * Maps a position.
   *
   * @param line 1-based, like `column`: `lineno` and `colno` of a Sentry frame.
   */
  async map(debugId: string, line: number, column: number): Promise<Mapping> {
    const script = await this.#script(debugId);
    if (script === undefined) return { outcome: 'no_map' };
    if (script === null) return { outcome: 'bad_map' };
    const frame = script.original(line, column);
    return frame === undefined ? { outcome: 'no_position' } : { outcome: 'mapped', frame };
  }

  /** Forgets all scripts: those of a new build may have the names of the old ones. */
  clear(): void {
    this.#scripts = new Map();
    this.#bytes = 0;
  }

  async #script(debugId: string): Promise<ParsedScript | null | undefined> {
    const known = this.#scripts.get(debugId);
    if (known !== undefined) {
      this.#scripts.delete(debugId);
      this.#scripts.set(debugId, known);
      return known;
    }
    const scripts = this.#scripts;
    const built = await this.#load(debugId);
    if (built === undefined) return undefined;
    // A new build may have another script of that name meanwhile.
    if (scripts !== this.#scripts) return parse(built);
    // Another read may have loaded the same script.
    return scripts.get(debugId) ?? this.#keep(debugId, parse(built));
  }

  #keep(debugId: string, script: ParsedScript | null): ParsedScript | null {
    this.#scripts.set(debugId, script);
    this.#bytes += script?.bytes ?? 0;
    for (const [oldest, dropped] of this.#scripts) {
      // The newest script stays even if it exceeds the limit alone: its event is being mapped.
      if (this.#bytes <= this.#maxBytes || oldest === debugId) break;
      this.#scripts.delete(oldest);
      this.#bytes -= dropped?.bytes ?? 0;
    }
    return script;
  }
}

function parse(built: BuiltScript): ParsedScript | null {
  try {
    return new ParsedScript(built);
  } catch {
    return null;
  }
}
