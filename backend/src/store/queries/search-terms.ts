import { sql } from 'kysely';
import type { Database } from '../schema.ts';
import { type IssueRow, selectIssues } from './issue-rows.ts';

/** What a search asks for; every term must hold. */
export interface SearchTerms {
  readonly release: string | null;
  readonly user: string | null;
  readonly url: string | null;
  /** Anywhere in the title, whatever the case. */
  readonly texts: readonly string[];
}

const MAX_FOUND = 50;
/** Newest issues whose titles are searched, and newest events whose facts are: no index serves a text in the
 * middle, and a look-up must not grow with the store. */
const MAX_SEARCHED_ISSUES = 20_000;
const MAX_SEARCHED_EVENTS = 20_000;
const MAX_TERM_LENGTH = 200;
const MAX_TEXTS = 10;

const TERM = /(?:(release|user|url):)?(?:"([^"]*)"|(\S+))/gi;

/** Reads `release:1.4.2 user:ann@example.org url:/checkout "exact words" other words`. */
export function readTerms(query: string): SearchTerms {
  const terms = { release: null, user: null, url: null } as Record<'release' | 'user' | 'url', string | null>;
  const quoted: string[] = [];
  const words: string[] = [];
  for (const [, name, quote, word] of query.matchAll(TERM)) {
    const value = (quote ?? word ?? '').slice(0, MAX_TERM_LENGTH);
    const key = name?.toLowerCase();
    if (key === 'release' || key === 'user' || key === 'url') terms[key] = value;
    else if (quote !== undefined) quoted.push(value);
    else words.push(value);
  }
  const texts = [...quoted, words.join(' ').slice(0, MAX_TERM_LENGTH)];
  return { ...terms, texts: texts.filter((text) => text !== '').slice(0, MAX_TEXTS) };
}

/** Whether the query names a field: then it is a search, and no digest. */
export function hasFields({ release, user, url }: SearchTerms): boolean {
  return release !== null || user !== null || url !== null;
}

/** The newest issues that fit. */
export async function searchIssues(db: Database, terms: SearchTerms): Promise<readonly IssueRow[]> {
  if (!hasFields(terms) && terms.texts.length === 0) return [];
  const ids = hasFields(terms) ? await issuesOfEvents(db, terms) : null;
  if (ids?.length === 0) return [];
  let query = selectIssues(db)
    .where('issue.id', 'in', (from) =>
      ids === null
        ? from.selectFrom('issue').select('id').orderBy('last_seen_ms', 'desc').limit(MAX_SEARCHED_ISSUES)
        : from.selectFrom('issue').select('id').where('id', 'in', ids),
    )
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(MAX_FOUND);
  for (const text of terms.texts) {
    query = query.where(sql<boolean>`lower(issue.title) like ${containing(text)} escape '\\'`);
  }
  return query.execute();
}

async function issuesOfEvents(db: Database, { release, user, url }: SearchTerms): Promise<readonly number[]> {
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('event')
        .select(['issue_id', 'release', 'person', 'path'])
        .orderBy('received_ms', 'desc')
        .limit(MAX_SEARCHED_EVENTS)
        .as('newest'),
    )
    .select('issue_id')
    .distinct()
    .$if(release !== null, (query) => query.where('release', '=', release))
    .$if(user !== null, (query) => query.where('person', '=', user))
    .$if(url !== null, (query) => query.where(sql<boolean>`path like ${beginning(url ?? '')} escape '\\'`))
    .limit(MAX_FOUND)
    .execute();
  return rows.map((row) => row.issue_id);
}

function containing(text: string): string {
  return `%${escaped(text.toLowerCase())}%`;
}

/** A whole address may be pasted: its path counts. */
function beginning(url: string): string {
  return `${escaped(URL.parse(url)?.pathname ?? url)}%`;
}

function escaped(text: string): string {
  return text.replaceAll('\0', '').replace(/[\\%_]/g, '\\$&');
}
