import type { FactKind } from '../db/schema.ts';

/** Kinds of facts that events of several issues share, and that `release:`, `user:` and `url:` search. */

export const RELEASE_FACT = 1 satisfies FactKind;
export const PERSON_FACT = 2 satisfies FactKind;
export const PATH_FACT = 3 satisfies FactKind;

/** Normalises a user for a fact: mail addresses are written with capitals or without. */
export function personFact(person: string): string {
  return person.includes('@') ? person.toLowerCase() : person;
}
