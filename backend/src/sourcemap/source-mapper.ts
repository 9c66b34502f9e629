import { type BuiltScript, type OriginalFrame, ParsedScript } from './parsed-script.ts';

/**
 * sourcemap/ turns a position in a built script back into the file, line and function a person wrote. Maps come
 * in by {@link LoadScript}; it imports nothing of Errata's, reads no event as a whole, and never throws on what
 * it is given. Parsing is synchronous and heavy (a 3.8 MB map: 286 ms): only ever in a worker thread.
 */

/** Gives the script with this debug id, or undefined when there is none. */
export type LoadScript = (debugId: string) => Promise<BuiltScript | undefined>;

export type Mapping =
  | { readonly outcome: 'mapped'; readonly frame: OriginalFrame }
  | { readonly outcome: 'no_map' | 'bad_map' | 'no_position' };

/** Memory for parsed scripts; the three or four chunks an error's stack goes through take 5 to 30 MiB. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

export class SourceMapper {
  readonly #load: LoadScript;
  readonly #maxBytes: number;
  /** In order of use, the oldest first. Null: its map cannot be read, which stays so. */
  readonly #scripts = new Map<string, ParsedScript | null>();
  #bytes = 0;

  constructor(load: LoadScript, maxBytes: number = DEFAULT_MAX_BYTES) {
    this.#load = load;
    this.#maxBytes = maxBytes;
  }

  /** @param line 1-based, as is `column`: what a Sentry frame carries in lineno and colno. */
  async map(debugId: string, line: number, column: number): Promise<Mapping> {
    const script = await this.#script(debugId);
    if (script === undefined) return { outcome: 'no_map' };
    if (script === null) return { outcome: 'bad_map' };
    const frame = script.original(line, column);
    return frame === undefined ? { outcome: 'no_position' } : { outcome: 'mapped', frame };
  }

  async #script(debugId: string): Promise<ParsedScript | null | undefined> {
    const known = this.#scripts.get(debugId);
    if (known !== undefined) {
      this.#scripts.delete(debugId);
      this.#scripts.set(debugId, known);
      return known;
    }
    const built = await this.#load(debugId);
    if (built === undefined) return undefined;
    // Two look-ups may have waited for the same load.
    return this.#scripts.get(debugId) ?? this.#keep(debugId, parse(built));
  }

  #keep(debugId: string, script: ParsedScript | null): ParsedScript | null {
    this.#scripts.set(debugId, script);
    this.#bytes += script?.bytes ?? 0;
    for (const [oldest, dropped] of this.#scripts) {
      // The newest stays even when it alone is larger: its event is being mapped.
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
