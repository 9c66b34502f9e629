import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { ClientFile } from './client-files.ts';
import type { Coding } from './content-coding.ts';

/** A file in one coding. */
export interface CompressedFile {
  readonly body: Buffer;
  readonly etag: string;
  readonly coding: Coding;
}

interface Forms {
  /** Of the file that was compressed. */
  readonly size: number;
  readonly changedMs: number;
  readonly hash: string;
  readonly bodies: ReadonlyMap<Coding, Buffer>;
}

/** For all files of a client, compressed: some 250 MB of scripts and pages. */
const MAX_BYTES = 64 * 2 ** 20;
/** Below it the headers are most of the response. */
const MIN_FILE_BYTES = 1_024;

/** The levels at which each coding is about as fast as reading the file; the next ones cost much and save little. */
const COMPRESS: Readonly<Record<Coding, (text: Buffer) => Promise<Buffer>>> = {
  br: (text) =>
    promisify(zlib.brotliCompress)(text, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: (text) =>
    promisify(zlib.zstdCompress)(text, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 3 } }),
  gzip: (text) => promisify(zlib.gzip)(text, { level: 6 }),
};

/**
 * Compressed forms of the text files of a client, in memory, made one file after another once the process runs: by then a
 * request gets the file as it is. zlib works in the thread pool, so that no request waits for it.
 */
export class CompressedFiles {
  readonly #root: string;
  readonly #read: (path: string) => Promise<Buffer>;
  readonly #maxBytes: number;
  readonly #forms = new Map<string, Forms>();
  #bytes = 0;

  /**
   * @param root folder of the client.
   * @param read returns the content that is sent; by default that of the file.
   */
  constructor(
    root: string,
    read: (path: string) => Promise<Buffer> = (path) => readFile(join(root, path)),
    maxBytes = MAX_BYTES,
  ) {
    this.#root = root;
    this.#read = read;
    this.#maxBytes = maxBytes;
  }

  /** Compresses the files, until the space is used up or `signal` aborts. A file that is lost is left out. */
  async compress(files: readonly ClientFile[], signal: AbortSignal): Promise<void> {
    for (const { path } of files.filter((file) => file.isCompressible)) {
      if (signal.aborted || this.#bytes >= this.#maxBytes) return;
      const forms = await this.#formsOf(path).catch(() => undefined);
      const bytes = [...(forms?.bodies.values() ?? [])].reduce((sum, { length }) => sum + length, 0);
      if (forms === undefined || this.#bytes + bytes > this.#maxBytes) continue;
      this.#bytes += bytes;
      this.#forms.set(path, forms);
    }
  }

  /** Returns a file in the first of the codings; undefined where there is none, or the file has changed since. */
  async find(path: string, accepted: readonly Coding[]): Promise<CompressedFile | undefined> {
    const forms = this.#forms.get(path);
    const coding = accepted.find((each) => forms?.bodies.has(each) === true);
    const body = coding === undefined ? undefined : forms?.bodies.get(coding);
    if (forms === undefined || coding === undefined || body === undefined) return undefined;
    const { size, mtimeMs } = (await stat(join(this.#root, path)).catch(() => undefined)) ?? {};
    const isSame = size === forms.size && mtimeMs === forms.changedMs;
    return isSame ? { body, coding, etag: `"${forms.hash}-${coding}"` } : undefined;
  }

  async #formsOf(path: string): Promise<Forms | undefined> {
    const { size, mtimeMs } = await stat(join(this.#root, path));
    if (size < MIN_FILE_BYTES || size > MAX_BYTES) return undefined;
    const text = await this.#read(path);
    const bodies = new Map<Coding, Buffer>();
    for (const coding of Object.keys(COMPRESS) as Coding[]) {
      const body = await COMPRESS[coding](text);
      // zlib returns a part of a larger buffer, and Buffer.from(body) another one: either would stay in memory as a whole.
      if (body.length < text.length) bodies.set(coding, Buffer.from(new Uint8Array(body).buffer));
    }
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    return { size, changedMs: mtimeMs, hash, bodies };
  }
}
