import { type ALIAS_FACT, type PERSON_FACT, TAG_FACT } from '../event/fact-forms.ts';
import { tagNamed } from '../event/event-tags.ts';
import type { Database } from '../db/schema.ts';
import { type ErasureRule, isErased } from '../erasure-rules/erasure-rule.ts';
import { projectOf } from '../erasure-rules/erasure-rules.ts';

/** Kinds of facts that name a user, or may do so. */
type NameKind = typeof PERSON_FACT | typeof ALIAS_FACT | typeof TAG_FACT;

/** Names of one step. */
const STEP_ROWS = 500;

/** A step through the names: the issues that lost a fact, and the start of the next step; null after the last. */
interface PersonFactStep {
  readonly issueIds: readonly number[];
  readonly next: string | null;
}

/**
 * Deletes the next facts with a name of the erased person, whose events retention may have deleted before: issues are
 * found by facts, and may quote the person.
 */
export async function erasePersonFacts(
  db: Database,
  rule: ErasureRule,
  kind: NameKind,
  after: string,
): Promise<PersonFactStep> {
  const rows = await db
    .selectFrom('issue_fact')
    .select('value')
    .distinct()
    .where('kind', '=', kind)
    .where('value', '>', after)
    .orderBy('value')
    .limit(STEP_ROWS)
    .execute();
  const names = rows.map(({ value }) => value);
  const erased = names.filter((name) =>
    isErased([rule], {
      receivedMs: rule.atMs - 1,
      project: rule.project ?? '',
      eventIds: [],
      names: () => namesIn(kind, name),
    }),
  );
  const deleted = erased.length === 0 ? [] : await deleteFacts(db, rule, kind, erased);
  return { issueIds: deleted, next: names.length < STEP_ROWS ? null : (names.at(-1) ?? null) };
}

function namesIn(kind: NameKind, value: string): readonly string[] {
  return kind === TAG_FACT ? (tagNamed(value) ?? []).slice(1) : value.split('\n');
}

async function deleteFacts(
  db: Database,
  rule: ErasureRule,
  kind: NameKind,
  names: readonly string[],
): Promise<readonly number[]> {
  const deleted = await db
    .deleteFrom('issue_fact')
    .where('kind', '=', kind)
    .where('value', 'in', names)
    .$if(rule.project !== null, (query) =>
      query.where('issue_id', 'in', (select) =>
        select
          .selectFrom('issue')
          .select('issue.id')
          .where('issue.project_id', '=', projectOf(db, rule.project)),
      ),
    )
    .returning('issue_id')
    .execute();
  return deleted.map((row) => row.issue_id);
}
