/** Matches text without NUL, which PostgreSQL cannot store. */
export const NO_NUL = /^[^\0]*$/;

/** Returns the cursor of an earlier page. For an invalid cursor the store returns the first page. */
export function cursorOf(cursor: unknown): string | null {
  return typeof cursor === 'string' && cursor !== '' ? cursor : null;
}
