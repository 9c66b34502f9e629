/** A position in a list that is ordered by a number (a time or a count) and id, largest first. */
export interface PagePosition {
  readonly value: number;
  readonly id: number;
}

/** Longest page of a list. */
const MAX_PAGE = 200;

const CURSOR = /^([a-z]*)(\d{1,15})\.(\d{1,15})$/;

/**
 * Reads a cursor. Returns null, the beginning of the list, for null and for an invalid cursor.
 *
 * @param list name of the list; a cursor of another list is invalid.
 */
export function positionOf(cursor: string | null, list = ''): PagePosition | null {
  const [, name, value, id] = CURSOR.exec(cursor ?? '') ?? [];
  return name !== list ? null : { value: Number(value), id: Number(id) };
}

/**
 * Makes a page from up to `limit` + 1 rows: the extra row shows that there is a next page.
 *
 * @param listOf name of the list that a row is in; see {@link positionOf}.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  positionOfRow: (row: Row) => PagePosition,
  listOf: (row: Row) => string = () => '',
): { readonly rows: readonly Row[]; readonly next: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) return { rows: page, next: null };
  return { rows: page, next: cursorAt(positionOfRow(last), listOf(last)) };
}

/** Returns the cursor of the page behind a position. */
export function cursorAt({ value, id }: PagePosition, list = ''): string {
  return `${list}${value}.${id}`;
}

/** Limits the requested length of a page. */
export function pageSize(limit: number): number {
  return Math.min(Math.max(1, Math.trunc(limit)), MAX_PAGE);
}
