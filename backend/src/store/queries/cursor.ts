/** A place in a list ordered by time and id, newest first: what comes next is behind it. */
export interface Place {
  readonly timeMs: number;
  readonly id: number;
}

const CURSOR = /^(\d{1,15})\.(\d{1,15})$/;

function cursorOf({ timeMs, id }: Place): string {
  return `${timeMs}.${id}`;
}

/** The beginning of the list for null, and for what is no cursor of ours. */
export function placeOf(cursor: string | null): Place | null {
  const [, timeMs, id] = CURSOR.exec(cursor ?? '') ?? [];
  return timeMs === undefined || id === undefined ? null : { timeMs: Number(timeMs), id: Number(id) };
}

/** A page out of one row more than it holds: that row says whether there is a next page. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  placeOfRow: (row: Row) => Place,
): { readonly rows: readonly Row[]; readonly next: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { rows: page, next: hasMore ? cursorOf(placeOfRow(last)) : null };
}
