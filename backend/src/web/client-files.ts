import { readdirSync } from 'node:fs';
import { posix, sep } from 'node:path';

/** A compressed variant of a file. */
export interface Variant {
  readonly suffix: '.br' | '.gz';
  readonly coding: 'br' | 'gzip';
}

const VARIANTS: readonly Variant[] = [
  { suffix: '.br', coding: 'br' },
  { suffix: '.gz', coding: 'gzip' },
];

/** Files that the server reads itself; it must not send them under their own names. */
const OWN_FILES = new Set(['/index.html', '/404.html', '/error.html', '/routes.json']);

/**
 * The files of a built client that may be sent, listed once at start. A path that is not in the list must never reach the
 * disk, so that no spelling of a path reads another file (path traversal), a dotfile or a source map.
 */
export class ClientFiles {
  readonly #files: ReadonlySet<string>;

  constructor(files: readonly string[]) {
    this.#files = new Set(files);
  }

  static read(clientDir: string): ClientFiles {
    const entries = readdirSync(clientDir, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath.slice(clientDir.length)}${sep}${entry.name}`.replaceAll('\\', '/'));
    return new ClientFiles(files);
  }

  /** Returns whether the file of this URL path may be sent. */
  serves(urlPath: string): boolean {
    return this.#files.has(urlPath) && !OWN_FILES.has(urlPath) && !isHidden(urlPath);
  }

  /** Returns the best compressed variant that the client accepts. */
  variantOf(urlPath: string, acceptEncoding: string): Variant | undefined {
    return VARIANTS.find(
      ({ suffix, coding }) => accepts(acceptEncoding, coding) && this.#files.has(urlPath + suffix),
    );
  }

  hasVariants(urlPath: string): boolean {
    return VARIANTS.some(({ suffix }) => this.#files.has(urlPath + suffix));
  }
}

/** Returns whether a path is a source map, a dotfile or a compressed variant. */
function isHidden(urlPath: string): boolean {
  return /\.(map|br|gz)$/.test(urlPath) || urlPath.includes('/.') || posix.normalize(urlPath) !== urlPath;
}

/** Returns whether `Accept-Encoding` lists a coding and does not exclude it with `q=0`. */
export function accepts(acceptEncoding: string, coding: string): boolean {
  return acceptEncoding.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
}
