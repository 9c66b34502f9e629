/** Of text that goes into the store: PostgreSQL takes no NUL. */
export const NO_NUL = /^[^\0]*$/;
