import { sql } from 'kysely';
import { padded } from '../db/compiled-query.ts';
import type { QueryContext } from '../db/query-context.ts';
import { type FactMatch, PATH_FACT, placeClasses } from '../event/fact-forms.ts';
import type { Database } from '../db/schema.ts';
import { rowsThatMayHold } from '../db/sqlite/text-index.ts';
import { HOUR_MS } from '../../time/iso.ts';
import { type Condition, CONFIRMED_FIRST } from './issue-page.ts';
import type { EventTerms, SpanTerm } from './event-terms.ts';
import { likeText } from './fact-columns.ts';
import { readTerms, type FindTerms, type StateTerm, withoutNumbers } from './find-terms.ts';

/**
 * Selects the issues that match a search, in a time that does not grow with the number of events.
 *
 * A term that few issues match is looked up in its index and yields their ids. A term that many issues match becomes a
 * condition, which is checked for each issue while the list is read in its order: a page fills soon.
 */

/** Most ids in a query. With more matches among 20,000 issues, reading some 500 of them in order fills a page of 50. */
const FEW_ISSUES = 2_000;
/** Most facts that are read for a form of a term. One issue may have 1,000 paths below a prefix; beyond this the list is read instead. */
const MAX_FACTS_READ = 20_000;
/** Age of the first event of an issue that `is:new` finds. */
const NEW_MS = HOUR_MS;

/** The conditions on an issue; null when no issue can meet them. */
export type FindConditions = readonly Condition[] | null;

/** Returns the conditions of a query. A text without a match is searched without its numbers, which differ between events. */
export async function conditionsFor(context: QueryContext, query: string): Promise<FindConditions> {
  const terms = readTerms(query, context.now());
  const search = await conditionsOf(context, terms);
  const others = search === null ? withoutNumbers(terms) : null;
  return others === null ? search : conditionsOf(context, others);
}

/** Issues that a search lists together. One without any keeps its place: the cursor of a page has the number of its rank. */
export interface Rank {
  readonly conditions: FindConditions;
  /** The terms by which it finds them. */
  readonly terms: EventTerms;
}

/**
 * Returns the ranks of the issues that match a query, the closest first and in each class the confirmed ones: a path of few
 * characters is the beginning of many.
 */
export async function ranksFor(
  context: QueryContext,
  query: string,
  { isVerbatim = false } = {},
): Promise<readonly Rank[]> {
  const terms = readTerms(query, context.now());
  const ranks = await ranksOf(context, terms);
  const isEmpty = ranks.every(({ conditions }) => conditions === null);
  const others = isEmpty && !isVerbatim ? withoutNumbers(terms) : null;
  return others === null ? ranks : ranksOf(context, others);
}

async function ranksOf(context: QueryContext, terms: FindTerms): Promise<readonly Rank[]> {
  const ranks: Rank[] = [];
  const closer: Condition[] = [];
  for (const facts of placeClasses(terms.facts)) {
    const ofClass = { ...terms, facts };
    const conditions = await conditionsOf(context, ofClass);
    for (const isOfRank of CONFIRMED_FIRST)
      ranks.push({ conditions: conditions && [isOfRank, ...conditions, ...closer], terms: ofClass });
    const places = facts.filter((some) => some.some(({ kind }) => kind === PATH_FACT)).map(hasFact);
    closer.push(sql`not (${sql.join(places, sql` and `)})`);
  }
  return ranks;
}

/** A term that must not match is always a condition: most issues meet it. */
async function conditionsOf(context: QueryContext, terms: FindTerms): Promise<FindConditions> {
  const { facts, texts } = terms;
  const found: Condition[] = [];
  let few: ReadonlySet<number> | null = null;
  const take = (ids: ReadonlySet<number> | null, isTrueOfOne: readonly Condition[]): void => {
    if (ids === null) found.push(...isTrueOfOne);
    else few = few === null ? ids : new Set([...few].filter((id) => ids.has(id)));
  };
  for (const fact of facts) take(await issuesWithFact(context.db, fact), [hasFact(fact)]);
  if (texts.length > 0) take(await issuesWithTexts(context, texts), texts.map(hasText));
  // A URL has two facts.
  const conditions = [...(found.length > 0 ? [all(found)] : []), ...othersOf(terms, context.now())];
  return few === null ? conditions : withIds(few, conditions);
}

function othersOf({ without, withoutTexts, spans, states }: FindTerms, nowMs: number): readonly Condition[] {
  return [
    ...without.map((facts) => not(all(facts.map(hasFact)))),
    ...withoutTexts.map((text) => not(hasText(text))),
    ...spans.map((span) => unless(span.isNegated, wasSeenIn(span))),
    ...states.map((state) => unless(state.isNegated, hasState(state, nowMs))),
  ];
}

/** An hour of an issue is counted also where its events are deleted. */
function wasSeenIn({ fromMs, toMs }: SpanTerm): Condition {
  if (toMs === null) return sql`issue.last_seen_ms >= ${fromMs}`;
  return sql`(select 1 from issue_hour where issue_hour.issue_id = issue.id
    and issue_hour.hour_ms >= ${fromMs} and issue_hour.hour_ms < ${toMs} limit 1) is not null`;
}

function hasState(state: StateTerm, nowMs: number): Condition {
  if ('level' in state) return sql`coalesce(issue.level, '') = ${state.level}`;
  // The status is hidden from the planner, which otherwise reads and sorts all issues that have it.
  const hasStatus = (status: string): Condition => sql`(issue.status || '') = ${status}`;
  if (state.is === 'new') return sql`issue.first_seen_ms >= ${nowMs - NEW_MS}`;
  return state.is === 'regressed'
    ? all([hasStatus('open'), sql`issue.regressed_ms is not null`])
    : hasStatus(state.is);
}

function unless(isNegated: boolean, condition: Condition): Condition {
  return isNegated ? not(condition) : condition;
}

function not(condition: Condition): Condition {
  return sql`not (${condition})`;
}

function all(conditions: readonly Condition[]): Condition {
  return sql`(${sql.join(conditions, sql` and `)})`;
}

function withIds(ids: ReadonlySet<number>, conditions: readonly Condition[]): FindConditions {
  if (ids.size === 0) return null;
  return [sql<boolean>`issue.id in (${sql.join([...padded(ids)])})`, ...conditions];
}

/** Returns the issues with any of the facts; null when there are more than {@link FEW_ISSUES}. */
async function issuesWithFact(
  db: Database,
  facts: readonly FactMatch[],
): Promise<ReadonlySet<number> | null> {
  const ids = new Set<number>();
  for (const fact of facts) {
    const rows = await db
      .selectFrom('issue_fact')
      .select('issue_id')
      .where(isFact(fact))
      .limit(MAX_FACTS_READ)
      .execute();
    for (const row of rows) ids.add(row.issue_id);
    if (rows.length === MAX_FACTS_READ || ids.size > FEW_ISSUES) return null;
  }
  return ids;
}

async function issuesWithTexts(
  { db, flavor }: QueryContext,
  texts: readonly string[],
): Promise<ReadonlySet<number> | null> {
  const rows = flavor === 'sqlite' ? rowsThatMayHold(texts) : sql`issue_text`;
  const { rows: found } = await sql<{ readonly issue_id: number }>`
    select issue_text.issue_id from ${rows} where ${sql.join(texts.map(holds), sql` and `)} limit ${FEW_ISSUES + 1}
  `.execute(db);
  return found.length > FEW_ISSUES ? null : new Set(found.map((row) => row.issue_id));
}

/** Makes a condition on one issue of scalar subqueries, which no planner turns into a join with a whole table. */
function hasFact(facts: readonly FactMatch[]): Condition {
  const conditions = facts.map(
    (fact) =>
      sql`(select 1 from issue_fact where issue_fact.issue_id = issue.id and ${isFact(fact)} limit 1) is not null`,
  );
  return sql`(${sql.join(conditions, sql` or `)})`;
}

function hasText(text: string): Condition {
  return sql`(select 1 from issue_text where issue_text.issue_id = issue.id and ${holds(text)}) is not null`;
}

/** Makes the condition that a filter finds a row of `issue_fact`. */
export function isFact({ kind, from, to }: FactMatch): Condition {
  const isKind = sql`issue_fact.kind = ${sql.lit(kind)}`;
  if (to === null) return sql`${isKind} and issue_fact.value = ${from}`;
  return sql`${isKind} and issue_fact.value >= ${from} and issue_fact.value < ${to}`;
}

/** Matches a substring. SQLite's `like` ignores case, which has no effect: both texts are lower case. */
function holds(text: string): Condition {
  return sql`issue_text.body like ${`%${likeText(text)}%`} escape '\\'`;
}
