import type { FactKind } from '../db/schema.ts';

/** What events of an issue have in common with those of others, and what `release:`, `user:` and `url:` ask for. */

export const RELEASE_FACT = 1 satisfies FactKind;
export const PERSON_FACT = 2 satisfies FactKind;
export const PATH_FACT = 3 satisfies FactKind;

/** A person as facts know one: people write their mail addresses with capitals or without. */
export function personFact(person: string): string {
  return person.includes('@') ? person.toLowerCase() : person;
}
