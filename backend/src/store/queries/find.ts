import type { FindAnswer, FindReading, StoreHint } from '../../contract/find-api.ts';
import { type Candidate, readBack } from '../../digest/read-back.ts';
import type { Database } from '../db/schema.ts';
import type { QueryContext } from '../db/query-context.ts';
import { idsNamed } from '../issues/issue-names.ts';
import { selectIssues, summariesOf } from '../issues/read-issues.ts';
import { isoTime } from '../../time/iso.ts';
import { lookUp, type Page, shownDigest } from './look-up.ts';
import { pageOfIssues } from './issue-page.ts';
import { searchFor } from './issue-search.ts';
import { readTerms } from './search-terms.ts';

/** Longest query looked at; readBack reads less of it. */
const MAX_QUERY_LENGTH = 20_000;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SYMBOLS = 8;
/** A word as people write it. It may be the beginning of a digest, but it is meant as a text. */
const WORD = /^\s*\p{L}?\p{Ll}+\s*$/u;

/** The answer without what only the spool and this process know. */
export interface StoredFind extends Omit<FindAnswer, 'hint'> {
  readonly hint?: StoreHint;
}

/**
 * Finds what a pasted text means: an id of some kind first, then words of issues. The answer to nothing says what may
 * help.
 */
export async function find(context: QueryContext, pasted: string, page: Page): Promise<StoredFind> {
  const query = pasted.slice(0, MAX_QUERY_LENGTH);
  const byText = (): Promise<FindAnswer | undefined> => findText(context, query, page);
  const byId = (): Promise<FindAnswer | undefined> => findId(context, query, page);
  const isSearch = readTerms(query).facts.length > 0;
  const ways = isSearch ? [byText] : WORD.test(query) ? [byText, byId] : [byId, byText];
  for (const way of ways) {
    const answer = await way();
    if (answer !== undefined) return answer;
  }
  return {
    query,
    reading: readingOf(query),
    issues: [],
    next: null,
    eventId: null,
    hint: await hintFor(context.db, query, context.now()),
  };
}

/** How a text that found nothing was understood, so that the answer can say what is not here. */
function readingOf(query: string): FindReading {
  const candidates = readBack(query);
  if (candidates[0]?.kind === 'event_id') return 'event_id';
  if (candidates.some(isWholeDigest)) return 'digest';
  return query.trim() === '' ? 'nothing' : 'text';
}

function isWholeDigest(candidate: Candidate): boolean {
  return candidate.kind === 'key' || (candidate.kind === 'symbols' && candidate.symbols.length === SYMBOLS);
}

async function findId({ db, now }: QueryContext, query: string, page: Page): Promise<FindAnswer | undefined> {
  const found = await lookUp(db, query, page);
  if (found === undefined) return undefined;
  const { reading, eventId, next } = found;
  return { query, reading, issues: await summariesOf(db, found.issues, now()), next, eventId };
}

async function findText(context: QueryContext, query: string, page: Page): Promise<FindAnswer | undefined> {
  const { facts, texts } = readTerms(query);
  if (facts.length + texts.length === 0) return undefined;
  const conditions = await searchFor(context, query);
  if (conditions === null) return undefined;
  const found = await pageOfIssues(context.db, { conditions, sort: 'last', ...page }, context.now());
  return found.issues.length === 0 ? undefined : { query, reading: 'text', ...found, eventId: null };
}

async function hintFor(db: Database, query: string, nowMs: number): Promise<StoreHint> {
  const oldest = await db
    .selectFrom('event')
    .select('received_ms')
    .orderBy('received_ms')
    .limit(1)
    .executeTakeFirst();
  const similar = readBack(query).flatMap((each) =>
    each.kind === 'symbols' && each.symbols.length === SYMBOLS ? neighbours(each.symbols) : [],
  );
  return {
    oldestKept: oldest === undefined ? null : isoTime(oldest.received_ms),
    similar: similar.length === 0 ? [] : await issuesWith(db, similar, nowMs),
  };
}

async function issuesWith(
  db: Database,
  digests: readonly string[],
  nowMs: number,
): Promise<StoreHint['similar']> {
  const rows = await selectIssues(db)
    .where('issue.id', 'in', idsNamed(db, digests))
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(SYMBOLS)
    .execute();
  return summariesOf(db, rows, nowMs);
}

/** What a slip makes of a digest: the 248 with one symbol another, and those with two neighbours swapped. */
function neighbours(symbols: string): readonly string[] {
  const withPart = (at: number, part: string): string =>
    symbols.slice(0, at) + part + symbols.slice(at + part.length);
  const all = [...symbols].flatMap((own, at) => [
    ...[...ALPHABET].map((other) => withPart(at, other)),
    withPart(at, (symbols[at + 1] ?? '') + own),
  ]);
  return [...new Set(all)].filter((other) => other !== symbols).map(shownDigest);
}
