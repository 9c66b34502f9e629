/**
 * Largest content of a row, packed. SQLite and PostgreSQL hold a value in memory several times while they write it. A source map
 * of 60 MiB, from one of the largest clients, packs to about this size.
 */
export const MAX_CONTENT_BYTES = 16 * 1024 * 1024;

/** Most rows of a table with such contents: their names take about 300 bytes of memory each. */
export const MAX_ROWS = 20_000;

/** Returns how many of the rows fit, from the first one on, and their bytes. @param size bytes of a row's content. */
export function withinCap(
  rows: readonly { readonly size: number }[],
  maxBytes: number,
): { readonly count: number; readonly bytes: number } {
  let bytes = 0;
  const end = rows.findIndex(({ size }, index) => {
    if (index >= MAX_ROWS || bytes + size > maxBytes) return true;
    bytes += size;
    return false;
  });
  return { count: end === -1 ? rows.length : end, bytes };
}
