import type { FindAnswer, FindHint } from '../../contract/console-api.ts';
import { readBack } from '../../digest/read-back.ts';
import type { Database } from '../schema.ts';
import { selectIssues, summaryOf, timeText } from './issue-rows.ts';
import { lookUp, shownDigest } from './look-up.ts';
import { hasFields, readTerms, searchIssues } from './search.ts';

/** Longest query looked at; readBack reads less of it. */
const MAX_QUERY_LENGTH = 20_000;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SYMBOLS = 8;

/**
 * Finds what a pasted text means: an id of some kind first, then a text in titles. The answer to nothing says
 * what may help.
 */
export async function find(db: Database, pasted: string): Promise<FindAnswer> {
  const query = pasted.slice(0, MAX_QUERY_LENGTH);
  const terms = readTerms(query);
  const found = hasFields(terms) ? undefined : await lookUp(db, query);
  if (found !== undefined) {
    return { query, reading: found.reading, issues: found.issues.map(summaryOf), eventId: found.eventId };
  }
  const issues = await searchIssues(db, terms);
  if (issues.length > 0) return { query, reading: 'text', issues: issues.map(summaryOf), eventId: null };
  return { query, reading: 'nothing', issues: [], eventId: null, hint: await hintFor(db, query) };
}

async function hintFor(db: Database, query: string): Promise<FindHint> {
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
    similar: similar.length === 0 ? [] : await issuesWith(db, similar),
  };
}

async function issuesWith(db: Database, digests: readonly string[]): Promise<FindHint['similar']> {
  const rows = await selectIssues(db)
    .where('issue.digest', 'in', digests)
    .orderBy('issue.last_seen_ms', 'desc')
    .limit(SYMBOLS)
    .execute();
  return rows.map(summaryOf);
}

/** The 248 digests with one symbol another: what a slip of the pen makes of one. */
function neighbours(symbols: string): readonly string[] {
  return [...symbols].flatMap((own, index) =>
    [...ALPHABET]
      .filter((other) => other !== own)
      .map((other) => shownDigest(symbols.slice(0, index) + other + symbols.slice(index + 1))),
  );
}
