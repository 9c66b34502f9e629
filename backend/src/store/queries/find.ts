import type { FindAnswer, FindReading, StoreHint } from '../../contract/find-api.ts';
import { type Candidate, readBack } from '../../digest/read-back.ts';
import type { Database } from '../schema.ts';
import { idsNamed } from './issue-names.ts';
import { selectIssues, summariesOf } from './issue-rows.ts';
import { timeText } from './time-text.ts';
import { lookUp, shownDigest } from './look-up.ts';
import { hasFields, readTerms, searchIssues, type SearchTerms } from './search.ts';

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
 * Finds what a pasted text means: an id of some kind first, then a text in titles. The answer to nothing says
 * what may help.
 */
export async function find(db: Database, pasted: string, nowMs: number): Promise<StoredFind> {
  const query = pasted.slice(0, MAX_QUERY_LENGTH);
  const terms = readTerms(query);
  const byText = (): Promise<FindAnswer | undefined> => findText(db, query, terms, nowMs);
  const byId = (): Promise<FindAnswer | undefined> => findId(db, query, nowMs);
  const ways = hasFields(terms) ? [byText] : WORD.test(query) ? [byText, byId] : [byId, byText];
  for (const way of ways) {
    const answer = await way();
    if (answer !== undefined) return answer;
  }
  return {
    query,
    reading: readingOf(query),
    issues: [],
    eventId: null,
    hint: await hintFor(db, query, nowMs),
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

async function findId(db: Database, query: string, nowMs: number): Promise<FindAnswer | undefined> {
  const found = await lookUp(db, query);
  if (found === undefined) return undefined;
  const issues = await summariesOf(db, found.issues, nowMs);
  return { query, reading: found.reading, issues, eventId: found.eventId };
}

async function findText(
  db: Database,
  query: string,
  terms: SearchTerms,
  nowMs: number,
): Promise<FindAnswer | undefined> {
  const issues = await searchIssues(db, terms);
  if (issues.length === 0) return undefined;
  return { query, reading: 'text', issues: await summariesOf(db, issues, nowMs), eventId: null };
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
    oldestKept: oldest === undefined ? null : timeText(oldest.received_ms),
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

/** The 248 digests with one symbol another: what a slip of the pen makes of one. */
function neighbours(symbols: string): readonly string[] {
  return [...symbols].flatMap((own, index) =>
    [...ALPHABET]
      .filter((other) => other !== own)
      .map((other) => shownDigest(symbols.slice(0, index) + other + symbols.slice(index + 1))),
  );
}
