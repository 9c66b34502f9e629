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
