import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { SearchedEvents } from '../../contract/find-api.ts';
import { formsOf, type IdCandidate } from '../../digest/read-ids.ts';
import { isoTime } from '../../time/iso.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database, Flavor } from '../db/schema.ts';
import { hashesOf, pageOf } from '../event/event-ids.ts';
import { placeIn } from '../event/fact-forms.ts';
import { hitColumns, hitsOf } from './hash-hits.ts';
import { MATCHED_COLUMNS, type MatchedEvent } from './event-matches.ts';

/** How far a scan reads. */
export interface ScanLimits {
  /** Rows of one step, for which a concurrent read waits: about 20 ms. */
  readonly stepRows: number;
  readonly maxRows: number;
  readonly maxMs: number;
}

/** A person waits a second for an answer; in it both databases read about 2,000,000 rows. */
const LIMITS: ScanLimits = { stepRows: 50_000, maxRows: 2_000_000, maxMs: 1_000 };

/** The events with an id, newest first. */
export interface FoundIds {
  /** The candidate that they have; null where no event has any. */
  readonly candidate: IdCandidate | null;
  readonly events: readonly MatchedEvent[];
  readonly searched: SearchedEvents;
}

/** The rows of a scan so far. */
interface Scanned {
  readonly rows: number;
  /** Row id of the oldest event that was read; null before the first. */
  readonly oldest: number | null;
}

/**
 * Finds the newest events that have an id: of the first candidate that any event of a step has, where the scan ends. Without
 * a match it ends with the last row, or at a limit. There is no index, see the migration.
 *
 * @param candidates at least one, the most certain first.
 */
export async function findIds(
  { db, flavor, now }: QueryContext,
  candidates: readonly IdCandidate[],
  { stepRows, maxRows, maxMs }: ScanLimits = LIMITS,
): Promise<FoundIds> {
  const startMs = now();
  const needles = candidates.map(hashesOfForms);
  let scanned: Scanned = { rows: 0, oldest: null };
  for (;;) {
    const { read, oldest, hits } = await readStep(db, flavor, needles, scanned.oldest, stepRows);
    scanned = { rows: scanned.rows + read, oldest: oldest ?? scanned.oldest };
    const at = hits.findIndex((ids) => ids.length > 0);
    const isLast = read < stepRows || scanned.rows >= maxRows || Math.abs(now() - startMs) >= maxMs;
    if (at !== -1 || isLast) {
      const events = await eventsOf(db, hits[at] ?? []);
      const candidate = events.length === 0 ? null : (candidates[at] ?? null);
      return { candidate, events, searched: await searchedOf(db, scanned, read < stepRows) };
    }
    // The embedded database is synchronous: without this no other request runs.
    await setImmediate();
  }
}

/** Returns the hashes of the forms of an id, in hex. */
function hashesOfForms(candidate: IdCandidate): readonly string[] {
  const path = candidate.as === 'url' ? placeIn(candidate.value).path : null;
  return hashesOf(path === null ? formsOf(candidate) : [`url:${pageOf(path) ?? path}`]);
}

/** Reads the rows before one, newest first, and returns for each candidate the newest rows that have it. */
async function readStep(
  db: Database,
  flavor: Flavor,
  needles: readonly (readonly string[])[],
  before: number | null,
  stepRows: number,
) {
  const columns = hitColumns(flavor, needles);
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    select count(*) as read, min(event) as oldest, ${sql.join(columns)} from (
      select event, hashes from event_ids
      where ${before === null ? sql`true` : sql`event < ${before}`} order by event desc limit ${sql.lit(stepRows)}
    ) as step
  `.execute(db);
  const [row = {}] = rows;
  const hits = hitsOf(row, needles);
  return { read: Number(row['read'] ?? 0), oldest: numberOrNull(row['oldest']), hits };
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

async function eventsOf(db: Database, ids: readonly number[]): Promise<readonly MatchedEvent[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('event')
    .select(MATCHED_COLUMNS)
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute();
}

/** Events of an earlier version have no row: the scan has not read them. */
async function searchedOf(db: Database, { rows, oldest }: Scanned, isEnd: boolean): Promise<SearchedEvents> {
  const select = () => db.selectFrom('event').select('received_ms').limit(1);
  const from = oldest ?? 0;
  const last = await select().where('id', '>=', from).orderBy('id').executeTakeFirst();
  const unread = isEnd
    ? await select()
        .$if(oldest !== null, (query) => query.where('id', '<', from))
        .executeTakeFirst()
    : last;
  const since = oldest === null || last === undefined ? null : isoTime(last.received_ms);
  return { events: rows, since, isAll: isEnd && unread === undefined };
}
