import type { FindAnswer, FindHint, FindReading, FoundIssue, ReadText } from '../../contract/find-api.ts';
import { DIGEST_SYMBOLS, hexPrefixOf } from '../../digest/crockford.ts';
import { type Candidate, readBack } from '../../digest/read-back.ts';
import { similarSymbols } from '../../digest/similar-symbols.ts';
import { deletedEvents } from '../db/counters.ts';
import type { Database } from '../db/schema.ts';
import type { QueryContext } from '../db/query-context.ts';
import { idsNamed } from '../issues/issue-names.ts';
import { selectIssues, summariesOf } from '../issues/read-issues.ts';
import { isoTime } from '../../time/iso.ts';
import { findByName, type PageRange, shownDigest } from './find-by-name.ts';
import { pageOfIssues } from './issue-page.ts';
import { conditionsFor } from './find-conditions.ts';
import { readTerms } from './find-terms.ts';
import { type IssueSummary, PAGE_ROWS } from '../../contract/issues-api.ts';

/** Characters read of a query, as many as readBack reads of a text. */
const MAX_QUERY_LENGTH = 20_000;
const MAX_SIMILAR = 8;
/** A single word. It could be the beginning of a digest, but it is meant as text. */
const WORD = /^\s*\p{L}?\p{Ll}+\s*$/u;

/** The store's part of a hint. */
interface StoredHint extends Pick<FindHint, 'similar' | 'recent' | 'oldestStored' | 'deleted'> {
  /** Event ids in the query; for a reference the first digits of the id. */
  readonly eventIds: readonly string[];
}

/** The answer without the parts that only the spool and the process know. */
export interface StoredFind extends Omit<FindAnswer, 'hint'> {
  readonly hint?: StoredHint;
}

/**
 * Finds the issues that a pasted text names: by an id of some kind first, then by words. An empty answer contains a
 * hint.
 *
 * @param cursor `next` of the page before; null for the first page.
 */
export async function find(
  context: QueryContext,
  pasted: string,
  cursor: string | null = null,
): Promise<StoredFind> {
  const query = pasted.slice(0, MAX_QUERY_LENGTH);
  const page = { cursor, limit: PAGE_ROWS };
  const byText = (): Promise<StoredFind | undefined> => findText(context, query, page);
  const byId = (): Promise<StoredFind | undefined> => findId(context, query, page);
  const isSearch = readTerms(query).facts.length > 0;
  const ways = isSearch ? [byText] : WORD.test(query) ? [byText, byId] : [byId, byText];
  for (const way of ways) {
    const answer = await way();
    if (answer !== undefined) return answer;
  }
  const candidates = readBack(query);
  const reading = readingOf(query, candidates);
  const hint = await hintFor(context, candidates);
  return {
    query,
    reading,
    readings: readingsOf(query, reading),
    issues: [],
    next: null,
    eventId: null,
    hint,
  };
}

/** Classifies a query that found nothing. */
function readingOf(query: string, candidates: readonly Candidate[]): FindReading {
  if (candidates[0]?.kind === 'event_id') return 'event_id';
  if (candidates.some(isWholeDigest)) return 'digest';
  return query.trim() === '' ? 'nothing' : 'text';
}

function readingsOf(query: string, as: FindReading): readonly ReadText[] {
  return [{ as, value: query.trim() }];
}

function unmatched(issue: IssueSummary): FoundIssue {
  return { ...issue, match: null };
}

function isWholeDigest(candidate: Candidate): boolean {
  return candidate.kind === 'key' || wholeSymbols(candidate) !== null;
}

/** Returns the symbols of a candidate that has all of a digest or a reference, not only the first ones. */
function wholeSymbols(candidate: Candidate): string | null {
  const isWhole = candidate.kind === 'symbols' && candidate.symbols.length === DIGEST_SYMBOLS;
  return isWhole ? candidate.symbols : null;
}

async function findId(
  { db, now }: QueryContext,
  query: string,
  page: PageRange,
): Promise<StoredFind | undefined> {
  const found = await findByName(db, query, page);
  if (found === undefined) return undefined;
  const { reading, eventId, next } = found;
  const issues = await summariesOf(db, found.issues, now());
  return {
    query,
    reading,
    readings: readingsOf(query, reading),
    issues: issues.map(unmatched),
    next,
    eventId,
  };
}

async function findText(
  context: QueryContext,
  query: string,
  page: PageRange,
): Promise<StoredFind | undefined> {
  const { facts, texts } = readTerms(query);
  if (facts.length + texts.length === 0) return undefined;
  const conditions = await conditionsFor(context, query);
  if (conditions === null) return undefined;
  const found = await pageOfIssues(context.db, { conditions, sort: 'last', ...page }, context.now());
  if (found.issues.length === 0) return undefined;
  const issues = found.issues.map(unmatched);
  return {
    query,
    reading: 'text',
    readings: readingsOf(query, 'text'),
    issues,
    next: found.next,
    eventId: null,
  };
}

async function hintFor(context: QueryContext, candidates: readonly Candidate[]): Promise<StoredHint> {
  const { db, now } = context;
  const oldest = await db
    .selectFrom('event')
    .select('received_ms')
    .orderBy('received_ms')
    .limit(1)
    .executeTakeFirst();
  const similar = candidates.flatMap((candidate) => {
    const symbols = wholeSymbols(candidate);
    return symbols === null ? [] : similarSymbols(symbols).map(shownDigest);
  });
  return {
    oldestStored: oldest === undefined ? null : isoTime(oldest.received_ms),
    similar: similar.length === 0 ? [] : await issuesWith(db, similar, now()),
    recent: [],
    deleted: await deletedEvents(context),
    eventIds: candidates.flatMap(eventIdsNamed),
  };
}

async function issuesWith(
  db: Database,
  digests: readonly string[],
  nowMs: number,
): Promise<FindHint['similar']> {
  const rows = await selectIssues(db)
    .where('issue.id', 'in', idsNamed(db, digests))
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(MAX_SIMILAR)
    .execute();
  return summariesOf(db, rows, nowMs);
}

function eventIdsNamed(candidate: Candidate): readonly string[] {
  if (candidate.kind === 'event_id') return [candidate.eventId];
  const symbols = wholeSymbols(candidate);
  return symbols === null ? [] : [hexPrefixOf(symbols)];
}
