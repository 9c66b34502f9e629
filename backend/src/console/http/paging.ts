/** Rows of one page of a list. */
export const PAGE_ROWS = 50;

/** As an earlier answer gave it; the store begins anew for what is none of its own. */
export function cursorOf(cursor: unknown): string | null {
  return typeof cursor === 'string' && cursor !== '' ? cursor : null;
}
