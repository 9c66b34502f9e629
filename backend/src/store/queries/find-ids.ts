import { setImmediate } from 'node:timers/promises';
import { sql, type SqlBool } from 'kysely';
import type { SearchedEvents } from '../../contract/event-api.ts';
import { formsOf, type IdCandidate } from '../../digest/read-ids.ts';
import { isoTime } from '../../time/iso.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database, Flavor } from '../db/schema.ts';
import { hashesOf, pageOf } from '../event/event-ids.ts';
import { HOST_FACT, matchesOf, PERSON_FACT, placeClasses, placeIn } from '../event/fact-forms.ts';
import { provenanceOf } from '../event/provenance.ts';
import { hasOneOf, hitColumns, hitsOf, type Needle } from './hash-hits.ts';
import { type Candidate, candidatesOf, isIn, type MatchedEvent, matches } from './event-terms.ts';
import type { FindFields } from './find-fields.ts';

/** How far a scan reads. */
export interface ScanLimits {
  /** Rows of one step, for which a concurrent read waits: about 20 ms. */
  readonly stepRows: number;
  readonly maxRows: number;
  readonly maxMs: number;
}

/** A person waits a second for an answer; in it both databases read about 2,000,000 rows. */
const LIMITS: ScanLimits = { stepRows: 50_000, maxRows: 2_000_000, maxMs: 1_000 };

/** Events that an answer lists. */
const MAX_EVENTS = 100;
/** Rows of events that are read at once, for which a concurrent read waits: about 5 ms. */
const EVENT_ROWS = 1_000;

/** The events with an id: the confirmed ones first, then the newest. */
interface EventsOfId {
  /** The candidate that they have; null where no event has any. */
  readonly candidate: IdCandidate | null;
  readonly events: readonly MatchedEvent[];
  /** Whether more events of the step have it. */
  readonly isCut: boolean;
}

export interface FoundIds extends EventsOfId {
  readonly searched: SearchedEvents;
}

/** The ids of one pass. */
interface Search {
  readonly candidate: IdCandidate;
  /** Condition for the ids of an event. */
  readonly needle: Needle;
  /** Returns the events that are meant, among the matching ones. */
  readonly meant: (events: readonly Candidate[]) => readonly Candidate[];
}

const NO_EVENTS: EventsOfId = { candidate: null, events: [], isCut: false };

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
export function findIds(
  context: QueryContext,
  candidates: readonly IdCandidate[],
  limits: ScanLimits = LIMITS,
): Promise<FoundIds> {
  const searches = candidates.map((candidate): Search => ({
    candidate,
    needle: hasOneOf(context.flavor, hashesOfForms(candidate)),
    meant: (events) => events.filter(isOfHost(candidate)),
  }));
  return scan(context, searches, limits);
}

/** Finds the newest events that have all ids and all terms of a search; of a step those with the very path first. */
export function findFields(context: QueryContext, { ids, terms }: FindFields): Promise<FoundIds> {
  const { facts } = terms;
  const users = facts
    .map((some) => some.filter(({ kind }) => kind === PERSON_FACT))
    .filter((some) => some.length > 0);
  const hashes = [
    ...ids.map(hashesOfForms),
    ...users.map((some) => hashesOf(some.map(({ from }) => `user:${from}`))),
  ];
  const has = hashes.map((some) => sql`(${hasOneOf(context.flavor, some)})`);
  const searches = placeClasses(facts).map((closest): Search => ({
    candidate: ids[0],
    needle: sql<SqlBool>`${sql.join(has, sql` and `)}`,
    meant: (events) => events.filter((event) => matches(event, { ...terms, facts: closest })),
  }));
  return scan(context, searches, LIMITS);
}

async function scan(
  { db, flavor, now }: QueryContext,
  searches: readonly Search[],
  { stepRows, maxRows, maxMs }: ScanLimits,
): Promise<FoundIds> {
  const startMs = now();
  const needles = searches.map(({ needle }) => needle);
  let scanned: Scanned = { rows: 0, oldest: null };
  for (;;) {
    const { read, oldest, hits } = await readStep(db, flavor, needles, scanned.oldest, stepRows);
    scanned = { rows: scanned.rows + read, oldest: oldest ?? scanned.oldest };
    const isLast = read < stepRows || scanned.rows >= maxRows || Math.abs(now() - startMs) >= maxMs;
    const found = await firstOf(db, searches, hits);
    if (found.candidate !== null || isLast)
      return { ...found, searched: await searchedOf(db, scanned, read < stepRows) };
    // The embedded database is synchronous: without this no other request runs.
    await setImmediate();
  }
}

/** Returns the hashes of the forms of an id, in hex. */
function hashesOfForms(candidate: IdCandidate): readonly string[] {
  const path = candidate.as === 'url' ? placeIn(candidate.value).path : null;
  return hashesOf(path === null ? formsOf(candidate) : [`url:${pageOf(path) ?? path}`]);
}

/** Reads the rows before one, newest first, and returns for each candidate the rows that have it. */
async function readStep(
  db: Database,
  flavor: Flavor,
  needles: readonly Needle[],
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

/** Returns the events of the first search that finds any. */
async function firstOf(
  db: Database,
  searches: readonly Search[],
  hits: readonly (readonly number[])[],
): Promise<EventsOfId> {
  for (const [at, search] of searches.entries()) {
    const { events, isCut } = await eventsOf(db, hits[at] ?? [], search);
    if (events.length > 0) return { candidate: search.candidate, events, isCut };
  }
  return NO_EVENTS;
}

/** The ids of an event have the path of its URL, and a column has the host. */
function isOfHost({ as, value }: IdCandidate): (event: Candidate) => boolean {
  const hosts =
    as === 'url' ? matchesOf('url', value).find((some) => some[0]?.kind === HOST_FACT) : undefined;
  return ({ host }) =>
    host === null || hosts === undefined || hosts.some((match) => isIn(match, HOST_FACT, host));
}

/** A stranger can send any number of events with an id: as many rows are read as it takes to find those of a server. */
async function eventsOf(
  db: Database,
  rows: readonly number[],
  { meant }: Search,
): Promise<Omit<EventsOfId, 'candidate'>> {
  const [confirmed, others]: [MatchedEvent[], MatchedEvent[]] = [[], []];
  let from = 0;
  for (; from < rows.length && confirmed.length < MAX_EVENTS; from += EVENT_ROWS) {
    if (from > 0) await setImmediate();
    const events = await candidatesOf(db, rows.slice(from, from + EVENT_ROWS));
    const newestFirst = events.toSorted((one, other) => other.id - one.id);
    for (const event of meant(newestFirst))
      (provenanceOf(event.origin).isConfirmed ? confirmed : others).push(event);
  }
  const all = [...confirmed, ...others];
  return { events: all.slice(0, MAX_EVENTS), isCut: all.length > MAX_EVENTS || from < rows.length };
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
