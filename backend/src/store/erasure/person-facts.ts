import { PERSON_FACT } from '../facts.ts';
import type { Database } from '../schema.ts';
import { type ErasureRule, isErased } from './erasure-rule.ts';

/** Names of one step. */
const STEP_ROWS = 500;

/**
 * Deletes the next facts that name a person whose events are gone already, or were none of those kept: issues are found
 * by people for as long as the facts are kept. @returns where the next step begins; null after the last.
 */
export async function erasePersonFacts(
  db: Database,
  rule: ErasureRule,
  after: string,
): Promise<string | null> {
  const rows = await db
    .selectFrom('issue_fact')
    .select('value')
    .distinct()
    .where('kind', '=', PERSON_FACT)
    .where('value', '>', after)
    .orderBy('value')
    .limit(STEP_ROWS)
    .execute();
  const names = rows.map(({ value }) => value);
  const erased = names.filter((name) =>
    isErased([rule], { receivedMs: rule.atMs - 1, eventIds: [], names: () => [name] }),
  );
  if (erased.length > 0) {
    await db.deleteFrom('issue_fact').where('kind', '=', PERSON_FACT).where('value', 'in', erased).execute();
  }
  return names.length < STEP_ROWS ? null : (names.at(-1) ?? null);
}
