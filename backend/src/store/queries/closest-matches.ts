import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ReadText } from '../../contract/find-api.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { scrubText } from '../../scrub/scrub-text.ts';
import type { QueryContext } from '../db/query-context.ts';
import { nameText, personFact } from '../event/fact-forms.ts';
import { provenanceOf } from '../event/provenance.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import type { IssueRow } from '../issues/read-issues.ts';
import { newestMatches } from './event-matches.ts';
import {
  type Candidate,
  candidatesOf,
  type EventTerms,
  factsOf,
  type MatchedEvent,
  matches,
  mayMatch,
} from './event-terms.ts';
import { columnsOf } from './fact-columns.ts';
import type { Rank } from './find-conditions.ts';
import { idList, idsIn } from './hash-hits.ts';

/**
 * Of the events of an issue that match a search, one may be closer to it than the newest: with the very query of a URL, or of
 * the user whose id it is, where another one has it as a name.
 */

/** Events of an issue that are compared. */
const MAX_CANDIDATES = 10;
/** Rows behind the newest match that are read for them: a page of issues takes 50 ms. */
const MAX_ROWS = 1_000;
/** Events whose bodies are read at once, for which a concurrent read waits: about 5 ms. */
const MAX_BODIES = 100;

interface ClosestEvent extends MatchedEvent {
  /** Less is closer. */
  readonly distance: number;
}

/** A row of a page, and its rank. */
interface RankedRow {
  readonly row: IssueRow;
  readonly rank: number;
}

/** What the filters of a search name, beyond its facts. */
interface Wanted {
  /** Queries of URLs. */
  readonly queries: readonly string[];
  /** Users. */
  readonly names: readonly string[];
}

/**
 * Returns the issues of a page with the closest event of each: in a rank those with the closest one first, and last those
 * without one that matches all filters.
 */
export async function closestFirst(
  context: QueryContext,
  page: readonly RankedRow[],
  ranks: readonly Rank[],
  filters: readonly ReadText[],
): Promise<{ readonly rows: readonly IssueRow[]; readonly events: readonly MatchedEvent[] }> {
  const events = new Map<number, ClosestEvent>();
  const classes = Map.groupBy(page, ({ rank }) => ranks[rank]?.terms);
  const read = async (terms: EventTerms, some: readonly RankedRow[]): Promise<void> => {
    const issues = some.map(({ row }) => row);
    const newest = await newestMatches(context, issues, terms, 1 / (classes.size + 1));
    for (const event of await closestOf(context, newest, terms, wantedBy(filters)))
      events.set(event.issue_id, event);
  };
  for (const [terms, some] of classes) if (terms !== undefined) await read(terms, some);
  // The event with the very path of the search may lack another of its terms, which one with a path below it has.
  const widest = ranks.at(-1)?.terms;
  const others = page.filter(({ row, rank }) => ranks[rank]?.terms !== widest && !events.has(row.id));
  if (widest !== undefined && others.length > 0) await read(widest, others);
  const distanceIn = ({ row }: RankedRow): number => events.get(row.id)?.distance ?? Number.MAX_SAFE_INTEGER;
  const sorted = page.toSorted((one, other) => one.rank - other.rank || distanceIn(one) - distanceIn(other));
  return { rows: sorted.map(({ row }) => row), events: [...events.values()] };
}

function wantedBy(filters: readonly ReadText[]): Wanted {
  const valuesOf = (kind: ReadText['as']) =>
    filters.filter(({ as }) => as === kind).map(({ value }) => value);
  return {
    // Those of stored events are scrubbed.
    queries: valuesOf('url')
      .map((url) => queryOf(scrubText(url)))
      .filter((query) => query !== ''),
    names: valuesOf('user').map(nameForm),
  };
}

function queryOf(url: string): string {
  return URL.parse(url, 'http://host.invalid')?.search ?? '';
}

function nameForm(name: unknown): string {
  return personFact(nameText(name) ?? '');
}

/** Returns for the newest match of each issue the closest one. */
async function closestOf(
  context: QueryContext,
  newest: readonly Candidate[],
  terms: EventTerms,
  wanted: Wanted,
): Promise<readonly ClosestEvent[]> {
  if (newest.length === 0) return [];
  const candidates = await candidatesOf(context.db, await candidateIds(context, newest, terms));
  const matching = candidates.filter((event) => matches(event, terms));
  const bodies = await bodiesOf(context, wanted.queries.length + wanted.names.length > 0 ? matching : []);
  const closest = new Map<number, ClosestEvent>();
  for (const { event_id, issue_id, occurred_ms, id, origin } of matching.toSorted(
    (one, other) => other.occurred_ms - one.occurred_ms || other.id - one.id,
  )) {
    const distance = distanceOf(bodies.get(id), provenanceOf(origin).isConfirmed, wanted);
    if (distance < (closest.get(issue_id)?.distance ?? Infinity))
      closest.set(issue_id, { event_id, issue_id, occurred_ms, distance });
  }
  return [...closest.values()];
}

async function candidateIds(
  { db, flavor }: QueryContext,
  newest: readonly Candidate[],
  terms: EventTerms,
): Promise<readonly number[]> {
  const walks = newest.map(({ issue_id, occurred_ms, id }) => {
    const numbers = [issue_id, occurred_ms, id].map((value) => sql`cast(${value} as bigint)`);
    return sql`(${sql.join(numbers)})`;
  });
  const { rows } = await sql<{ readonly ids: string | null }>`
    with walk (issue, ms, id) as (values ${sql.join(walks)})
    select (
      select ${idList(flavor, sql`id`)} from (
        select id from (
          select ${columnsOf(factsOf(terms))} from event
          where event.issue_id = walk.issue and (event.occurred_ms, event.id) <= (walk.ms, walk.id)
          order by event.occurred_ms desc, event.id desc limit ${sql.lit(MAX_ROWS)}
        ) as event
        where ${mayMatch(flavor, terms)} order by occurred_ms desc, id desc limit ${sql.lit(MAX_CANDIDATES)}
      ) as hit
    ) as ids from walk
  `.execute(db);
  return rows.flatMap(({ ids }) => idsIn(ids));
}

async function bodiesOf(
  { db }: QueryContext,
  events: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, Fields>> {
  const bodies = new Map<number, Fields>();
  for (let from = 0; from < events.length; from += MAX_BODIES) {
    const ids = events.slice(from, from + MAX_BODIES).map(({ id }) => id);
    const rows = await db.selectFrom('event').select(['id', 'payload']).where('id', 'in', ids).execute();
    for (const { id, payload } of rows) bodies.set(id, decodeStoredEvent(payload).event);
    await setImmediate();
  }
  return bodies;
}

/**
 * The query of a URL counts before the sender. The sender counts before the way in which a user has the name, because a
 * stranger can send any id.
 */
function distanceOf(body: Fields = {}, isConfirmed: boolean, { queries, names }: Wanted): number {
  const isOther = queries.some((query) => query !== queryIn(body));
  const kinds = names.map((name) => kindOfName(body, name));
  return (isOther ? 8 : 0) + (isConfirmed ? 0 : 4) + Math.max(0, ...kinds);
}

function queryIn(body: Fields): string {
  const { url, query_string: query } = fieldsAt(body, 'request');
  const own = typeof url === 'string' ? queryOf(url) : '';
  return own !== '' || typeof query !== 'string' ? own : queryOf(query.replace(/^\??/, '?'));
}

/** Returns 0 for the id of the user, then the email, then another name; an event in brief does not say which. */
function kindOfName(body: Fields, name: string): number {
  const { id, email } = fieldsAt(body, 'user');
  const at = [id, email].findIndex((value) => nameForm(value) === name);
  return at === -1 ? 2 : at;
}
