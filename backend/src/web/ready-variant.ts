import { closeSync, openSync, readSync, type Stats } from 'node:fs';
import type { Coding } from './content-coding.ts';

/** First bytes of a format (RFC 1952 section 2.3.1, RFC 8878 section 3.1.1); brotli has none. */
const MAGIC: Readonly<Record<Coding, string>> = { br: '', gzip: '1f8b', zstd: '28b52ffd' };
/** Copies and archives keep times in steps of up to two seconds (ZIP, FAT), and write files in any order. */
const SAME_BUILD_MS = 2_000;

/** Returns whether a compressed variant has content, and is not older than its file, as after a build without it. */
export function isCurrent(variant: Stats, file: Stats): boolean {
  return variant.size > 0 && variant.mtimeMs >= file.mtimeMs - SAME_BUILD_MS;
}

/** Returns whether a file begins as one in that coding. */
export function hasMagic(path: string, coding: Coding): boolean {
  const start = Buffer.alloc(MAGIC[coding].length / 2);
  const file = openSync(path, 'r');
  try {
    readSync(file, start, 0, start.length, 0);
  } finally {
    closeSync(file);
  }
  return start.toString('hex') === MAGIC[coding];
}
