import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Damage to the pages of a closed database. */

export const PAGE_BYTES = 4096;

interface Page {
  readonly page: number;
  readonly rows: number;
}

/** Returns the pages of a kind in a tree, or in all of them: no inner root, nor the end of a chain of overflow pages. */
export function pagesOf(path: string, kind: 'leaf' | 'internal' | 'overflow', tree = '%'): readonly Page[] {
  const database = new DatabaseSync(path);
  const pages = database
    .prepare(
      `SELECT pageno AS page, ncell AS rows FROM dbstat
       WHERE pagetype = ?1 AND name LIKE ?2 AND pageno > 1 AND (?1 = 'leaf' OR path <> '/') AND path NOT LIKE '%+000001'
       ORDER BY pageno`,
    )
    .all(kind, tree) as unknown as readonly Page[];
  database.close();
  return pages;
}

/** Returns the one in the middle. */
export function pageOf(path: string, kind: 'leaf' | 'internal' | 'overflow', tree: string): Page {
  const pages = pagesOf(path, kind, tree);
  return pages[Math.floor(pages.length / 2)] ?? { page: 0, rows: 0 };
}

/** Overwrites the header of a page with zeros, or as many bytes. */
export function zeroPage(path: string, page: number, bytes = 8): void {
  const start = (page - 1) * PAGE_BYTES;
  writeFileSync(path, readFileSync(path).fill(0, start, start + bytes));
}

/** Zeroes a leaf in the middle of a table. Returns the number of its rows. */
export function zeroLeaf(path: string, table: string): number {
  const { page, rows } = pageOf(path, 'leaf', table);
  zeroPage(path, page);
  return rows;
}

/**
 * Gives the first row of a leaf in the middle of a table the id 16,383, in as many bytes as its own (128 to 16,382) has, and
 * places the last row outside of the page. Returns the number of the leaf's rows.
 */
export function falsifyLeaf(path: string, table: string): number {
  const { page, rows } = pageOf(path, 'leaf', table);
  const bytes = readFileSync(path);
  const header = (page - 1) * PAGE_BYTES;
  const cells = header + 8;
  const cell = header + bytes.readUInt16BE(cells);
  const sizeBytes = (bytes[cell] ?? 0) < 0x80 ? 1 : 2;
  bytes.writeUInt16BE(0xff_7f, cell + sizeBytes);
  bytes.writeUInt16BE(0xff_ff, cells + 2 * (rows - 1));
  writeFileSync(path, bytes);
  return rows;
}
