import { readdirSync } from 'node:fs';
import { posix, sep } from 'node:path';

/** A compressed twin of a file, and the coding it is in. */
export interface Variant {
  readonly suffix: '.br' | '.gz';
  readonly coding: 'br' | 'gzip';
}

const VARIANTS: readonly Variant[] = [
  { suffix: '.br', coding: 'br' },
  { suffix: '.gz', coding: 'gzip' },
];

/** Read by the server, never sent under their own names. */
const OWN_FILES = new Set(['/index.html', '/404.html', '/error.html', '/routes.json']);

/**
 * Which files of the built client may be sent. Listed once at start: no path of a request is ever looked up on
 * the disk unless it is in this list, so no traversal, dotfile or source map can be had by any spelling.
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

  /** Whether a request for this path, as it came in the URL, may be answered with the file of that name. */
  serves(urlPath: string): boolean {
    return this.#files.has(urlPath) && !OWN_FILES.has(urlPath) && !isHidden(urlPath);
  }

  /** The best compressed twin that the sender accepts, if there is one. */
  variantOf(urlPath: string, acceptEncoding: string): Variant | undefined {
    return VARIANTS.find(
      ({ suffix, coding }) => accepts(acceptEncoding, coding) && this.#files.has(urlPath + suffix),
    );
  }

  hasVariants(urlPath: string): boolean {
    return VARIANTS.some(({ suffix }) => this.#files.has(urlPath + suffix));
  }
}

/** Maps, dotfiles and the compressed twins themselves. */
function isHidden(urlPath: string): boolean {
  return /\.(map|br|gz)$/.test(urlPath) || urlPath.includes('/.') || posix.normalize(urlPath) !== urlPath;
}

/** Whether `Accept-Encoding` lists a coding and does not refuse it with `q=0`. */
export function accepts(acceptEncoding: string, coding: string): boolean {
  return acceptEncoding.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
}
