import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { RELEASE_FACT } from '../event/fact-forms.ts';
import type { Database, FactKind } from '../db/schema.ts';

/** Rows of one step, which takes SQLite 2 ms: a concurrent read waits for it. */
const CHUNK = 5_000;

interface FactKey {
  readonly kind: FactKind;
  readonly value: string;
  readonly issue_id: number;
}

/**
 * Deletes facts (users, paths, releases) that were last seen before a time, in a walk through all facts. An index of their
 * age would cost more with each event than this walk costs every 15 minutes (0.6 s for 2,000,000 facts).
 */
export async function retainFacts(db: Database, cutoffMs: number): Promise<void> {
  let from: FactKey = { kind: RELEASE_FACT, value: '', issue_id: 0 };
  for (;;) {
    const to = await keyBehind(db, from);
    const isBefore = to === undefined ? sql`` : sql`and (kind, value, issue_id) < ${tuple(to)}`;
    await sql`
      delete from issue_fact
      where (kind, value, issue_id) >= ${tuple(from)} ${isBefore} and last_seen_ms < ${cutoffMs}
    `.execute(db);
    if (to === undefined) break;
    from = to;
    await setImmediate();
  }
  await retainReleases(db, cutoffMs);
}

/** Returns the start of the next step; undefined at the end. */
function keyBehind(db: Database, from: FactKey): Promise<FactKey | undefined> {
  return db
    .selectFrom('issue_fact')
    .select(['kind', 'value', 'issue_id'])
    .where(sql<boolean>`(kind, value, issue_id) >= ${tuple(from)}`)
    .orderBy('kind')
    .orderBy('value')
    .orderBy('issue_id')
    .offset(CHUNK)
    .limit(1)
    .executeTakeFirst();
}

function tuple({ kind, value, issue_id: issueId }: FactKey) {
  return sql`(${kind}, ${value}, ${issueId})`;
}

/** Deletes releases that no issue names: they are not needed to order the others. */
async function retainReleases(db: Database, cutoffMs: number): Promise<void> {
  await sql`
    delete from release where first_seen_ms < ${cutoffMs}
    and not exists (
      select 1 from issue_fact where issue_fact.kind = ${sql.lit(RELEASE_FACT)} and issue_fact.value = release.name
    )
    and not exists (select 1 from issue where issue.resolved_release = release.name)
  `.execute(db);
}
