/** Matches text without NUL, which PostgreSQL cannot store. */
export const NO_NUL = /^[^\0]*$/;

/** Ids that the database counts up; 15 digits are exact as a number. */
const NUMBER = /^\d{1,15}$/;

/** Returns the id of a row that a client sent; null without one or for an invalid one. */
export function numberOf(id: unknown): number | null {
  return typeof id === 'string' && NUMBER.test(id) ? Number(id) : null;
}

/** Returns the cursor of an earlier page. For an invalid cursor the store returns the first page. */
export function cursorOf(cursor: unknown): string | null {
  return typeof cursor === 'string' && cursor !== '' ? cursor : null;
}
