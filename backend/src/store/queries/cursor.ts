/** A place in a list ordered by a number (a time, a count) and id, largest first: what comes next is behind it. */
export interface Place {
  readonly value: number;
  readonly id: number;
}

/** Longest page of a list. */
const MAX_PAGE = 200;

const CURSOR = /^([a-z]*)(\d{1,15})\.(\d{1,15})$/;

/**
 * The beginning of the list for null, and for what is no cursor of ours.
 *
 * @param list name of the list the cursor has to be of.
 */
export function placeOf(cursor: string | null, list = ''): Place | null {
  const [, name, value, id] = CURSOR.exec(cursor ?? '') ?? [];
  return name !== list ? null : { value: Number(value), id: Number(id) };
}

/** A page out of one row more than it holds: that row says whether there is a next page. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  placeOfRow: (row: Row) => Place,
  list = '',
): { readonly rows: readonly Row[]; readonly next: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) return { rows: page, next: null };
  const { value, id } = placeOfRow(last);
  return { rows: page, next: `${list}${value}.${id}` };
}

/** As many rows as were asked for, within reason. */
export function pageSize(limit: number): number {
  return Math.min(Math.max(1, Math.trunc(limit)), MAX_PAGE);
}
