import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import type { ErasureRule } from '../erasure-rules/erasure-rule.ts';
import { projectOf } from '../erasure-rules/erasure-rules.ts';

/** Issues of one step. */
const STEP_ROWS = 500;

/** A step through the issues; `next` is null after the last. */
interface EmptiedStep {
  readonly issueIds: readonly number[];
  /** Those from before the time without events. */
  readonly emptied: readonly number[];
  readonly next: number | null;
}

/**
 * Returns the next issues that a rule with a time can match. Retention deletes events and leaves an issue's title and
 * search text, which quote them.
 */
export async function emptiedIssues(db: Database, rule: ErasureRule, afterId: number): Promise<EmptiedStep> {
  const rows = await db
    .selectFrom('issue')
    .select(['id', 'first_seen_ms'])
    .select(
      sql<number>`case when exists (select 1 from event where event.issue_id = issue.id) then 1 else 0 end`.as(
        'has_events',
      ),
    )
    .where('id', '>', afterId)
    .$if(rule.project !== null, (query) => query.where('project_id', '=', projectOf(db, rule.project)))
    .orderBy('id')
    .limit(STEP_ROWS)
    .execute();
  const emptied = rows.filter((row) => row.has_events === 0 && row.first_seen_ms < Number(rule.value));
  return {
    issueIds: rows.map(({ id }) => id),
    emptied: emptied.map(({ id }) => id),
    next: rows.length < STEP_ROWS ? null : (rows.at(-1)?.id ?? null),
  };
}

/** Deletes the facts of issues from before a time. */
export async function eraseFactsOf(
  db: Database,
  issueIds: readonly number[],
  beforeMs: number,
): Promise<void> {
  if (issueIds.length === 0) return;
  await db
    .deleteFrom('issue_fact')
    .where('issue_id', 'in', issueIds)
    .where('last_seen_ms', '<', beforeMs)
    .execute();
}
