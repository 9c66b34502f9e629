import type { FindAnswer, FindHint, FindReading } from '../../contract/find-api.ts';
import { DIGEST_SYMBOLS, hexPrefixOf } from '../../digest/crockford.ts';
import type { Candidate } from '../../digest/read-back.ts';
import type { IdCandidate } from '../../digest/read-ids.ts';
import { lengthenedSymbols, similarSymbols } from '../../digest/similar-symbols.ts';
import { sql } from 'kysely';
import { deletedEvents } from '../db/counters.ts';
import type { QueryContext } from '../db/query-context.ts';
import { idsNamed } from '../issues/issue-names.ts';
import { selectIssues, summariesOf } from '../issues/read-issues.ts';
import { HOUR_MS, isoTime } from '../../time/iso.ts';
import { closestFirst } from './closest-matches.ts';
import { foundIssues, issuesOf } from './event-matches.ts';
import { findByName, shownDigest } from './find-by-name.ts';
import { ranksFor } from './find-conditions.ts';
import { findFields, findIds, type FoundIds } from './find-ids.ts';
import { readQuery, type ReadQuery, symbolsOf, WORD } from './find-readings.ts';
import { hasFields, isBlank, readTerms } from './find-terms.ts';
import { CONFIRMED_FIRST, type PageRange, rowsByRank } from './issue-page.ts';
import { PAGE_ROWS } from '../../contract/issues-api.ts';

/** Characters read of a query, as many as readBack reads of a text. */
const MAX_QUERY_LENGTH = 20_000;
const MAX_SIMILAR = 8;
/** The page of the sentence was shown lately, and a list of more is no help. */
const MAX_RECENT = 10;
const RECENT_MS = HOUR_MS;

/** The store's part of a hint. */
interface StoredHint extends Pick<FindHint, 'similar' | 'recent' | 'oldestStored' | 'deleted'> {
  /** Event ids in the query, or their first digits; for a reference the first digits of the id. */
  readonly eventIds: readonly string[];
}

/** The answer without the parts that only the spool and the process know. */
export interface StoredFind extends Omit<FindAnswer, 'hint'> {
  readonly hint?: StoredHint;
}

/** The result of one way, with the extent of its search. No issues: it has found nothing. */
type Found = Pick<FindAnswer, 'reading' | 'issues' | 'next' | 'eventId' | 'searched' | 'isCut'>;
type Way = (context: QueryContext, read: ReadQuery, page: PageRange) => Promise<Found>;

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
  const read = readQuery(pasted.slice(0, MAX_QUERY_LENGTH), context.now());
  const { query, readings } = read;
  let searched: Found['searched'];
  for (const way of waysOf(read)) {
    const found = await way(context, read, { cursor, limit: PAGE_ROWS });
    searched = found.issues.length > 0 ? (found.searched ?? searched) : shorter(searched, found.searched);
    if (found.issues.length === 0) continue;
    return { query, readings: withReading(read, found.reading), ...found, ...(searched && { searched }) };
  }
  const reading = readings[0]?.as ?? 'nothing';
  const hint = await hintFor(context, read);
  return { query, readings, ...NOTHING, reading, ...(searched && { searched }), hint };
}

/** Of two searches that found nothing, an answer names the shorter one. */
function shorter(one: Found['searched'], other: Found['searched']): Found['searched'] {
  return one === undefined || other === undefined || other.events < one.events ? (other ?? one) : one;
}

function waysOf({ query, terms, fields, sentence }: ReadQuery): readonly Way[] {
  if (fields !== null) return [byFields, byWords];
  if (hasFields(terms)) return [byWords];
  if (WORD.test(query)) return [byWords, byName];
  if (sentence !== null) return [];
  return [byName, byPlace, byCertainIds, byPhrase, byOtherWords, byWords];
}

/** A short part of a digest is named only where it has found something. */
function withReading({ query, readings }: ReadQuery, reading: FindReading): FindAnswer['readings'] {
  return readings.some(({ as }) => as === reading)
    ? readings
    : [{ as: reading, value: query.trim() }, ...readings];
}

const byName: Way = async ({ db, now }, { query }, page) => {
  const found = await findByName(db, query, page);
  if (found === undefined) return NOTHING;
  const { issues, events, meant: _meant, ...rest } = found;
  return { ...rest, issues: await foundIssues(db, issues, events, now()) };
};

/** Finds by an e-mail or a URL alone as by its filter. */
const byPlace: Way = (context, { ids }, page) => {
  const [{ as, value } = { as: 'tag', value: '' }] = ids.certain;
  const isPlace = (as === 'user' || as === 'url') && !value.includes('"');
  return isPlace ? bySearch(context, `${as}:"${value}"`, page) : Promise.resolve(NOTHING);
};

const byCertainIds: Way = (context, { ids }, page) => byIds(context, ids.certain, page);
/**
 * Finds a message by all its words, with the event that has its codes: an event with one of them alone may be of another
 * fault.
 */
const byPhrase: Way = (context, { query, ids, terms }, page) =>
  ids.words.length > 0 && terms.texts.length > 1
    ? bySearch(context, query, page, ids.words)
    : Promise.resolve(NOTHING);
const byOtherWords: Way = (context, { ids }, page) => byIds(context, ids.words, page);
const byWords: Way = (context, { query }, page) => bySearch(context, query, page);

const byFields: Way = (context, { fields }, page) => byEvents(context, page, fields, findFields);

function byIds(context: QueryContext, candidates: readonly IdCandidate[], page: PageRange): Promise<Found> {
  return byEvents(context, page, candidates.length === 0 ? null : candidates, findIds);
}

async function byEvents<Wanted>(
  context: QueryContext,
  { cursor }: PageRange,
  wanted: Wanted | null,
  search: (context: QueryContext, wanted: Wanted) => Promise<FoundIds>,
): Promise<Found> {
  // Their answer is one page: a second one is that of another way.
  if (wanted === null || cursor !== null) return NOTHING;
  const { candidate, events, isCut, searched } = await search(context, wanted);
  if (candidate === null) return { ...NOTHING, searched };
  const rows = await issuesOf(context.db, events);
  const issues = await foundIssues(context.db, rows.slice(0, PAGE_ROWS), events, context.now());
  const [event] = events.length === 1 ? events : [];
  return {
    reading: candidate.as,
    issues,
    next: null,
    eventId: event?.event_id ?? null,
    searched,
    ...((isCut || issues.length < rows.length) && { isCut: true }),
  };
}

/** @param codes of a phrase; all its words must then occur as they are. */
async function bySearch(
  context: QueryContext,
  query: string,
  page: PageRange,
  codes: readonly IdCandidate[] = [],
): Promise<Found> {
  const terms = readTerms(query, context.now());
  if (isBlank(terms)) return NOTHING;
  const { filters } = terms;
  const ranks = await ranksFor(context, query, { isVerbatim: codes.length > 0 });
  const { db, now } = context;
  const conditions = ranks.map((rank) => rank.conditions);
  const { rows: ranked, next } = await rowsByRank(db, conditions, page);
  if (ranked.length === 0) return NOTHING;
  const { rows, events } = await closestFirst(context, ranked, ranks, filters);
  const matches = codes.length > 0 ? (await findIds(context, codes)).events : events;
  const issues = await foundIssues(db, rows, matches, now());
  return { reading: filters[0]?.as ?? 'text', issues, next, eventId: null };
}

const NOTHING: Found = { reading: 'nothing', issues: [], next: null, eventId: null };

async function hintFor(context: QueryContext, { names, sentence }: ReadQuery): Promise<StoredHint> {
  const { db } = context;
  const oldest = await db
    .selectFrom('event')
    .select('received_ms')
    .orderBy('received_ms')
    .limit(1)
    .executeTakeFirst();
  return {
    oldestStored: oldest === undefined ? null : isoTime(oldest.received_ms),
    similar: await similarIssues(context, names),
    recent:
      sentence === null ? [] : await recentIssues(context, sentence === 'client' ? 'browser' : 'server'),
    deleted: await deletedEvents(context),
    eventIds: names.flatMap(eventIdsNamed),
  };
}

async function similarIssues(
  { db, now }: QueryContext,
  names: readonly Candidate[],
): Promise<FindHint['similar']> {
  const similar = names.flatMap((candidate) => {
    const symbols = symbolsOf(candidate);
    if (symbols === null) return [];
    const all = symbols.length === DIGEST_SYMBOLS ? similarSymbols(symbols) : lengthenedSymbols(symbols);
    return all.map(shownDigest);
  });
  if (similar.length === 0) return [];
  const rows = await selectIssues(db)
    .where('issue.id', 'in', idsNamed(db, similar))
    .orderBy('issue.is_confirmed', 'desc')
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(MAX_SIMILAR)
    .execute();
  return summariesOf(db, rows, now());
}

async function recentIssues(
  { db, now }: QueryContext,
  kind: 'browser' | 'server',
): Promise<FindHint['recent']> {
  const isRecent = sql<boolean>`issue.kind = ${kind} and issue.last_seen_ms >= ${now() - RECENT_MS}`;
  const ranks = CONFIRMED_FIRST.map((isOfRank) => [isOfRank, isRecent]);
  const { rows } = await rowsByRank(db, ranks, { cursor: null, limit: MAX_RECENT });
  return summariesOf(
    db,
    rows.map(({ row }) => row),
    now(),
  );
}

function eventIdsNamed(candidate: Candidate): readonly string[] {
  if (candidate.kind === 'event_id') return [candidate.eventId];
  const symbols = symbolsOf(candidate);
  return symbols?.length === DIGEST_SYMBOLS ? [hexPrefixOf(symbols)] : [];
}
