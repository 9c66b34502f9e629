import type { EnvelopeRow } from './packed-envelopes.ts';

/** With larger pages, commits of 128 envelopes take a fifth less time, but those of 8 take half as much again. */
export const PAGE_BYTES = 4096;
/** Bytes of a page that rows can fill (https://sqlite.org/fileformat2.html, 1.6). */
const PAGE_ROOM = PAGE_BYTES - 35;
/** Bytes of an envelope beside header and items: sender, cells in both tables, its deduplication key. */
const ROW_BYTES = 512;

/**
 * Returns the disk space of one envelope in bytes, with its share of the unused end of a page: SQLite splits a row over
 * pages only if it is larger than one.
 */
export function diskBytesOf({ header, stored }: Pick<EnvelopeRow, 'header' | 'stored'>): number {
  const row = header.length + stored.length + ROW_BYTES;
  if (row > PAGE_ROOM) return Math.ceil(row / PAGE_ROOM) * PAGE_BYTES;
  return Math.ceil(PAGE_BYTES / Math.floor(PAGE_ROOM / row));
}
