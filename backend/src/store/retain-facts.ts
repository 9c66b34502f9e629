import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { RELEASE_FACT } from './facts.ts';
import type { Database } from './schema.ts';

/** Rows of one statement: a look-up that comes meanwhile waits for it. */
const CHUNK = 1_000;

/** People, paths and releases are forgotten with the events that told of them, a million of which have as many. */
export async function retainFacts(db: Database, cutoffMs: number): Promise<void> {
  for (let deleted = CHUNK; deleted === CHUNK;) {
    const { numAffectedRows } = await sql`
      delete from issue_fact where (kind, value, issue_id) in (
        select kind, value, issue_id from issue_fact
        where last_seen_ms < ${cutoffMs} order by last_seen_ms limit ${CHUNK}
      )
    `.execute(db);
    deleted = Number(numAffectedRows ?? 0);
    await setImmediate();
  }
  await retainReleases(db, cutoffMs);
}

/** A release goes when no issue knows it any more: to be told from a later one it need not be kept. */
async function retainReleases(db: Database, cutoffMs: number): Promise<void> {
  await sql`
    delete from release where first_seen_ms < ${cutoffMs}
    and not exists (
      select 1 from issue_fact where issue_fact.kind = ${sql.lit(RELEASE_FACT)} and issue_fact.value = release.name
    )
    and not exists (select 1 from issue where issue.resolved_release = release.name)
  `.execute(db);
}
