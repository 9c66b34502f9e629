import { closeSync, openSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Request, Response } from 'express';
import { sendDecompressed, withCompressedOnly } from './compressed-only.ts';
import { type Coding, SUFFIXES } from './content-coding.ts';
import { hasContentHash, mayHaveHash } from './content-hash.ts';
import { listFiles, WELL_KNOWN } from '../sourcemap/list-files.ts';

/** A file that may be sent. */
export interface ClientFile {
  /** Path below the folder of the client. */
  readonly path: string;
  /** Extension or media type. */
  readonly type: string;
  /** Codings in which the build wrote the file, too. */
  readonly codings: readonly Coding[];
  /** Whether compression saves much, and the build has left it to the server. */
  readonly isCompressible: boolean;
  /** The first of the codings where the build has deleted the file itself; else null. */
  readonly onlyCoding: Coding | null;
  readonly cacheControl: string;
}

/** A file that may be stored for pages of other builds. */
export interface HashedFile {
  readonly path: string;
  readonly isText: boolean;
}

/** Files that the server reads itself; it must not send them under their own names. */
const OWN_FILES = new Set(['index.html', '404.html', 'error.html', 'routes.json']);
const INDEX = 'index.html';
const SOURCE_MAP = /\.map(\.(br|zst|gz))?$/i;
const VARIANT = /\.(br|zst|gz)$/;
const TEXT = /\.(css|csv|html?|json|m?js|md|rss|svg|txt|webmanifest|xml)$/i;
/** First bytes of a format (RFC 1952 section 2.3.1, RFC 8878 section 3.1.1); brotli has none. */
const MAGIC: Readonly<Record<Coding, string>> = { br: '', gzip: '1f8b', zstd: '28b52ffd' };
/** No dotfile and no `..`; PostgreSQL knows no zero byte. */
const PLAIN_NAME = /^[^./\\\0][^/\\\0]*$/;
/** A key of PostgreSQL's index may have 2,704 bytes. */
const MAX_PATH_BYTES = 1_024;
/** Copies and archives keep times in steps of up to two seconds (ZIP, FAT), and write files in any order. */
const SAME_BUILD_MS = 2_000;

/**
 * The files of a built client that may be sent, listed once at start. A path that is not in the list must never reach the
 * disk, so that no spelling of a path reads another file (path traversal), a dotfile or a source map.
 */
export class ClientFiles {
  /** Folder of the client, without links. */
  readonly root: string;
  readonly #files: ReadonlyMap<string, ClientFile>;

  private constructor(root: string, paths: readonly string[]) {
    const all = new Set(paths);
    const codings = Object.keys(SUFFIXES) as Coding[];
    this.root = root;
    this.#files = new Map(
      withCompressedOnly(paths)
        .filter((path) => !isOwn(path) && !SOURCE_MAP.test(path) && !isVariant(path, all))
        .map((path) => {
          const isDeleted = !all.has(path);
          const variants = codings.filter(
            (coding) => all.has(path + SUFFIXES[coding]) && isReady(join(root, path), coding, isDeleted),
          );
          return {
            path,
            type: typeOf(root, path),
            codings: variants,
            isCompressible: variants.length === 0 && TEXT.test(path),
            onlyCoding: isDeleted ? (variants[0] ?? null) : null,
            cacheControl: cacheControl(path),
          };
        })
        .filter(({ path, onlyCoding }) => all.has(path) || onlyCoding !== null)
        .map((file) => [file.path, file]),
    );
  }

  /** @param paths of all files below the folder. */
  static read(root: string, paths = listFiles(root)): ClientFiles {
    return new ClientFiles(root, paths);
  }

  get all(): readonly ClientFile[] {
    return [...this.#files.values()];
  }

  /** Files whose names may have a content hash, without those that the build has left in compressed form only. */
  get hashed(): readonly HashedFile[] {
    return this.all
      .filter(({ path, onlyCoding }) => onlyCoding === null && mayBeStored(path.split('/')))
      .map(({ path }) => ({ path, isText: TEXT.test(path) }));
  }

  /**
   * Returns the file of a URL path: the file of that name, `x/index.html` for `/x/`, `x.html` for `/x`.
   *
   * @param segments decoded; one with a slash names no file.
   */
  find(segments: readonly string[]): ClientFile | undefined {
    if (segments.some((segment) => segment.includes('/'))) return undefined;
    const path = segments.join('/');
    return this.#files.get(path) ?? this.#files.get(path.endsWith('/') ? path + INDEX : `${path}.html`);
  }

  /** Returns whether a folder with a page has that path, which lacks the slash at its end. */
  isFolder(segments: readonly string[]): boolean {
    return this.find([...segments, '']) !== undefined;
  }

  /** Returns the status of a file; undefined for one that is lost, or that another kind has replaced: a FIFO never ends. */
  statusOf({ path, onlyCoding }: ClientFile): Promise<Stats | undefined> {
    return this.#statusOf(onlyCoding === null ? path : path + SUFFIXES[onlyCoding]);
  }

  /** Sends a file that the build has left only in a coding that the client does not accept. */
  sendDecompressed(path: string, coding: Coding, request: Request, response: Response): Promise<void> {
    return sendDecompressed(join(this.root, path + SUFFIXES[coding]), coding, request, response);
  }

  /**
   * Returns the first of the codings whose variant may still be sent: a lost or old variant must not lose the file.
   *
   * @param status of the file itself.
   */
  async codingOf(file: ClientFile, accepted: readonly Coding[], status: Stats): Promise<Coding | undefined> {
    for (const coding of accepted.filter((each) => file.codings.includes(each))) {
      const variant = await this.#statusOf(file.path + SUFFIXES[coding]);
      if (variant !== undefined && isCurrent(variant, file.onlyCoding === null ? status : variant))
        return coding;
    }
    return undefined;
  }

  async #statusOf(path: string): Promise<Stats | undefined> {
    const status = await stat(join(this.root, path)).catch(() => undefined);
    return status?.isFile() === true ? status : undefined;
  }
}

/**
 * Returns whether a file of that path may be stored for pages of other builds. @param segments of the path below the client;
 * from a request they may be anything.
 */
export function mayBeStored(segments: readonly string[]): boolean {
  const path = segments.join('/');
  return (
    mayHaveHash(segments.at(-1) ?? '') &&
    segments.every((segment) => PLAIN_NAME.test(segment)) &&
    Buffer.byteLength(path) <= MAX_PATH_BYTES
  );
}

/** Returns whether the variant that the build wrote of a file is one of that file, which the build may have deleted. */
function isReady(file: string, coding: Coding, isDeleted: boolean): boolean {
  const variant = file + SUFFIXES[coding];
  const status = statSync(variant);
  return isCurrent(status, isDeleted ? status : statSync(file)) && hasMagic(variant, coding);
}

/** Returns whether a compressed variant has content, and is not older than its file, as after a build without it. */
function isCurrent(variant: Stats, file: Stats): boolean {
  return variant.size > 0 && variant.mtimeMs >= file.mtimeMs - SAME_BUILD_MS;
}

/** Returns whether a file begins as one in that coding. */
function hasMagic(path: string, coding: Coding): boolean {
  const start = Buffer.alloc(MAGIC[coding].length / 2);
  const file = openSync(path, 'r');
  try {
    readSync(file, start, 0, start.length, 0);
  } finally {
    closeSync(file);
  }
  return start.toString('hex') === MAGIC[coding];
}

function isOwn(path: string): boolean {
  return OWN_FILES.has(path.replace(VARIANT, ''));
}

/** Returns whether a file is a compressed variant of another one. */
function isVariant(path: string, all: ReadonlySet<string>): boolean {
  return VARIANT.test(path) && all.has(path.replace(VARIANT, ''));
}

/** Files with a content hash in their name never change; browsers must revalidate all others. */
export function cacheControl(path: string): string {
  return hasContentHash(basename(path)) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** Well-known files often have no extension although they are JSON, and iOS ignores them under another type. */
function typeOf(root: string, path: string): string {
  const extension = extname(path);
  if (extension !== '') return extension;
  const isJson = path.startsWith(`${WELL_KNOWN}/`) && holdsJson(join(root, path));
  return isJson ? 'application/json' : 'application/octet-stream';
}

function holdsJson(file: string): boolean {
  try {
    return typeof JSON.parse(readFileSync(file, 'utf8')) === 'object';
  } catch {
    return false;
  }
}
