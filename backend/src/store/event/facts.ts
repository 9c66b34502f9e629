/** What events of an issue have in common with those of others, and what `release:`, `user:` and `url:` ask for. */

export const RELEASE_FACT = 1;
export const PERSON_FACT = 2;
export const PATH_FACT = 3;

/** Kept in the database: never give a number a new meaning. */
export type FactKind = typeof RELEASE_FACT | typeof PERSON_FACT | typeof PATH_FACT;

/** A person as facts know one: people write their mail addresses with capitals or without. */
export function personFact(person: string): string {
  return person.includes('@') ? person.toLowerCase() : person;
}
