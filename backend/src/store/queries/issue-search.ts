import { sql } from 'kysely';
import { padded } from '../db/compiled-query.ts';
import { PATH_FACT } from '../event/facts.ts';
import type { Database, Flavor } from '../db/schema.ts';
import { rowsThatMayHold } from '../db/sqlite/text-index.ts';
import type { Condition } from './issue-page.ts';
import { type FactTerm, readTerms, type SearchTerms, withoutNumbers } from './search-terms.ts';

/**
 * Which issues fit a search, in a way that takes as long with a million events as with a thousand.
 *
 * A term that few issues fit is looked up by its index, and gives their ids. One that many fit is only a question to be
 * put to each issue while a list is walked in its order: a page of it is full soon.
 */

/** As many ids as a query is given: with more of 20,000 issues, a walk finds a page of 50 within some 500 of them. */
const FEW_ISSUES = 2_000;
/** An issue may have 1,000 paths below one: where so many do not come from many issues, the walk has to do. */
const MAX_FACTS_READ = 20_000;
/** Sorts behind every character, so that it ends the range of a prefix. */
const AFTER_PREFIX = '\u{10ffff}';

/** What an issue has to fulfil; null where none can. */
export type IssueSearch = readonly Condition[] | null;

interface Context {
  readonly db: Database;
  readonly flavor: Flavor;
}

/** A text that is found nowhere is looked for without its numbers: it may be the message of one event of many. */
export async function searchFor(context: Context, query: string): Promise<IssueSearch> {
  const terms = readTerms(query);
  const search = await searchOf(context, terms);
  const others = search === null ? withoutNumbers(terms) : null;
  return others === null ? search : searchOf(context, others);
}

async function searchOf(context: Context, { facts, texts }: SearchTerms): Promise<IssueSearch> {
  const conditions: Condition[] = [];
  let few: ReadonlySet<number> | null = null;
  const take = (ids: ReadonlySet<number> | null, isTrueOfOne: readonly Condition[]): void => {
    if (ids === null) conditions.push(...isTrueOfOne);
    else few = few === null ? ids : new Set([...few].filter((id) => ids.has(id)));
  };
  for (const fact of facts) take(await issuesWithFact(context.db, fact), [hasFact(fact)]);
  if (texts.length > 0) take(await issuesWithTexts(context, texts), texts.map(hasText));
  return few === null ? conditions : withIds(few, conditions);
}

function withIds(ids: ReadonlySet<number>, conditions: readonly Condition[]): IssueSearch {
  if (ids.size === 0) return null;
  return [sql<boolean>`issue.id in (${sql.join([...padded(ids)])})`, ...conditions];
}

/** Null where there are more than a few. */
async function issuesWithFact(db: Database, fact: FactTerm): Promise<ReadonlySet<number> | null> {
  const rows = await db
    .selectFrom('issue_fact')
    .select('issue_id')
    .where(isFact(fact))
    .limit(MAX_FACTS_READ)
    .execute();
  const ids = new Set(rows.map((row) => row.issue_id));
  return rows.length === MAX_FACTS_READ || ids.size > FEW_ISSUES ? null : ids;
}

async function issuesWithTexts(
  { db, flavor }: Context,
  texts: readonly string[],
): Promise<ReadonlySet<number> | null> {
  const rows = flavor === 'sqlite' ? rowsThatMayHold(texts) : sql`issue_text`;
  const { rows: found } = await sql<{ readonly issue_id: number }>`
    select issue_text.issue_id from ${rows} where ${sql.join(texts.map(holds), sql` and `)} limit ${FEW_ISSUES + 1}
  `.execute(db);
  return found.length > FEW_ISSUES ? null : new Set(found.map((row) => row.issue_id));
}

/** The conditions on one issue are scalar subqueries, which no planner turns into a join with all of a table. */
function hasFact(fact: FactTerm): Condition {
  return sql`(select 1 from issue_fact where issue_fact.issue_id = issue.id and ${isFact(fact)} limit 1) is not null`;
}

function hasText(text: string): Condition {
  return sql`(select 1 from issue_text where issue_text.issue_id = issue.id and ${holds(text)}) is not null`;
}

function isFact({ kind, value }: FactTerm): Condition {
  const isKind = sql`issue_fact.kind = ${sql.lit(kind)}`;
  if (kind !== PATH_FACT) return sql`${isKind} and issue_fact.value = ${value}`;
  return sql`${isKind} and issue_fact.value >= ${value} and issue_fact.value < ${value + AFTER_PREFIX}`;
}

/** SQLite's own `like` takes capitals for small letters: there are none. */
function holds(text: string): Condition {
  const escaped = text.replace(/[\\%_]/g, '\\$&');
  return sql`issue_text.body like ${`%${escaped}%`} escape '\\'`;
}
