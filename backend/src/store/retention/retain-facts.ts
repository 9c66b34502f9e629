import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { FACT_BYTES, FACT_VALUE_BYTES } from '../db/occupied-bytes.ts';
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
  for await (const isInStep of steps(db))
    await sql`delete from issue_fact where ${isInStep} and last_seen_ms < ${cutoffMs}`.execute(db);
  await retainReleases(db);
}

/** Returns the bytes of all facts, by the time at which they were last seen: by hours. */
export async function bytesOfFacts(db: Database): Promise<ReadonlyMap<number, number>> {
  const bytes = new Map<number, number>();
  const ofRow = sql`${sql.lit(FACT_BYTES)} + ${sql.lit(FACT_VALUE_BYTES)} * octet_length(value)`;
  for await (const isInStep of steps(db)) {
    const { rows } = await sql<{ readonly seen_ms: number; readonly bytes: number }>`
      select last_seen_ms as seen_ms, sum(${ofRow}) as bytes from issue_fact where ${isInStep} group by last_seen_ms
    `.execute(db);
    for (const row of rows) bytes.set(row.seen_ms, (bytes.get(row.seen_ms) ?? 0) + row.bytes);
  }
  return bytes;
}

/**
 * Deletes the facts of the hours that are longest ago, until the rest fits: those of events that go on are seen again.
 *
 * @param bytes see {@link bytesOfFacts}. @returns the bytes of the deleted ones.
 */
export async function pruneFacts(
  db: Database,
  bytes: ReadonlyMap<number, number>,
  maxBytes: number,
): Promise<number> {
  let kept = 0;
  for (const [seenMs, ofHour] of [...bytes].toSorted(([one], [other]) => other - one)) {
    if (kept + ofHour > maxBytes) {
      await retainFacts(db, seenMs + 1);
      return sumOf(bytes) - kept;
    }
    kept += ofHour;
  }
  return 0;
}

/** Returns the bytes of all hours together. */
export function sumOf(bytes: ReadonlyMap<number, number>): number {
  return [...bytes.values()].reduce((sum, ofHour) => sum + ofHour, 0);
}

/** Yields conditions that are true for {@link CHUNK} facts each, and lets other requests run in between. */
async function* steps(db: Database): AsyncGenerator<RawBuilder<unknown>> {
  let from: FactKey | undefined = { kind: RELEASE_FACT, value: '', issue_id: 0 };
  while (from !== undefined) {
    const to: FactKey | undefined = await keyBehind(db, from);
    const isBefore = to === undefined ? sql`` : sql`and (kind, value, issue_id) < ${tuple(to)}`;
    yield sql`(kind, value, issue_id) >= ${tuple(from)} ${isBefore}`;
    from = to;
    await setImmediate();
  }
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
async function retainReleases(db: Database): Promise<void> {
  await sql`
    delete from release where not exists (
      select 1 from issue_fact where issue_fact.kind = ${sql.lit(RELEASE_FACT)} and issue_fact.value = release.name
    )
    and not exists (select 1 from issue where issue.resolved_release = release.name)
  `.execute(db);
}
