import { createReadStream, readFileSync, type Stats, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { type Coding, SUFFIXES } from './content-coding.ts';

/**
 * Files that a build has left in compressed form only, as `vite-plugin-compression` does with `deleteOriginFile`. They
 * have the name that the pages of the build use. Browsers get them as they are, other clients decompressed.
 */

/** Without an extension before the suffix it is most likely an archive, and may have the name of a folder with a page. */
const COMPRESSED = /^(.+\.\w+)\.(?:br|zst|gz)$/;
const CODINGS = Object.keys(SUFFIXES) as Coding[];
/** For a page or a list of routes that is read as a whole; pages have some 100 KB. */
const MAX_TEXT_BYTES = 64 * 2 ** 20;

const DECOMPRESS: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => zlib.brotliDecompressSync(bytes, { maxOutputLength: MAX_TEXT_BYTES }),
  zstd: (bytes) => zlib.zstdDecompressSync(bytes, { maxOutputLength: MAX_TEXT_BYTES }),
  gzip: (bytes) => zlib.gunzipSync(bytes, { maxOutputLength: MAX_TEXT_BYTES }),
};

const DECOMPRESSOR: Readonly<Record<Coding, () => Transform>> = {
  br: zlib.createBrotliDecompress,
  zstd: zlib.createZstdDecompress,
  gzip: zlib.createGunzip,
};

/** Returns the paths, and those of the files that have only a compressed form among them. */
export function withCompressedOnly(paths: readonly string[]): readonly string[] {
  const originals = paths.flatMap((path) => {
    const original = COMPRESSED.exec(path)?.[1];
    return original === undefined ? [] : [original];
  });
  return [...new Set([...paths, ...originals])];
}

/** Returns the status of a file of a client, or of its compressed form where the build has left only that. */
export function clientFileStatus(root: string, path: string): Stats | undefined {
  const coding = onlyCodingOf(root, path);
  const file = coding === undefined ? path : path + SUFFIXES[coding];
  return statSync(join(root, file), { throwIfNoEntry: false });
}

/** Reads a file of a client. @throws Error that names the file when it is missing or cannot be decompressed. */
export function readClientFile(root: string, path: string): Buffer {
  const coding = onlyCodingOf(root, path);
  if (coding === undefined) return readFileSync(join(root, path));
  const file = join(root, path + SUFFIXES[coding]);
  try {
    return DECOMPRESS[coding](readFileSync(file));
  } catch (cause) {
    throw new Error(`${file} is no ${coding} of a text`, { cause });
  }
}

function onlyCodingOf(root: string, path: string): Coding | undefined {
  const exists = (each: string): boolean =>
    statSync(join(root, each), { throwIfNoEntry: false }) !== undefined;
  return exists(path) ? undefined : CODINGS.find((coding) => exists(path + SUFFIXES[coding]));
}

/** Sends a compressed file to a client that does not accept its coding, decompressed on the way. */
export async function sendDecompressed(
  file: string,
  coding: Coding,
  { method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (method === 'HEAD') response.end();
  // A client that leaves is no failure, and a damaged file ends the response, whose status is out.
  else await pipeline(createReadStream(file), DECOMPRESSOR[coding](), response).catch(() => undefined);
}
