import { sql } from 'kysely';
import type { FindReading } from '../../contract/find-api.ts';
import { DIGEST_SYMBOLS, hexPrefixOf, referenceOf } from '../../digest/crockford.ts';
import { ownKey } from '../../digest/digest.ts';
import { type Candidate, readBack } from '../../digest/read-back.ts';
import type { Database } from '../db/schema.ts';
import { pageOf, placeOf } from './cursor.ts';
import { namedIssues } from '../issues/issue-names.ts';
import { type IssueRow, selectIssues } from '../issues/read-issues.ts';

/** What a text named: issues, and the event when it named one. */
export interface Found {
  readonly reading: FindReading;
  readonly issues: readonly IssueRow[];
  readonly eventId: string | null;
  /** Cursor of the next page, where a part of a digest fits more. */
  readonly next: string | null;
}

/** The beginning of a text that names something, or what comes behind. */
export interface Page {
  readonly cursor: string | null;
  readonly limit: number;
}

const ALL: Page = { cursor: null, limit: 20 };
/** Name of the cursors: a part of a digest is one list, by when its issues were last seen. */
const LIST = 'digest';
/** Projects that share a digest. */
const MAX_ISSUES = 20;
const MAX_EVENTS = 20;
/** A reference cut shorter names nothing: with a million events, four symbols fit some event by chance. */
const MIN_REFERENCE_SYMBOLS = 6;
/** Sorts behind every character of a digest or an event id, so that it ends the range of a prefix. */
const AFTER_PREFIX = '~';

/** Tries each way to read the text, the surest first, until one names something; undefined when none does. */
export async function lookUp(db: Database, text: string, page = ALL): Promise<Found | undefined> {
  for (const candidate of readBack(text)) {
    const found = await lookUpCandidate(db, candidate, page);
    if (found.issues.length > 0) return found;
  }
  return undefined;
}

/**
 * The one issue a text names, in a project or (null) in any; undefined when nothing fits, or several digests do. Of one
 * digest in several projects it is the one seen last.
 */
export async function oneIssue(
  db: Database,
  text: string,
  project: string | null,
): Promise<IssueRow | undefined> {
  const found = (await lookUp(db, text))?.issues ?? [];
  const issues = project === null ? found : found.filter(({ dsn }) => dsn === project);
  return new Set(issues.map((issue) => issue.digest_key)).size === 1 ? issues[0] : undefined;
}

function lookUpCandidate(db: Database, candidate: Candidate, page: Page): Promise<Found> {
  switch (candidate.kind) {
    case 'key':
      return byKey(db, candidate.key);
    case 'own':
      return byKey(db, ownKey(candidate.digest));
    case 'event_id':
      return byEventPrefix(db, candidate.eventId, () => true, 'event_id');
    case 'symbols':
      return bySymbols(db, candidate.symbols, page);
  }
}

async function byKey(db: Database, key: string): Promise<Found> {
  const issues = await namedIssues(db, 'digest_key', key).limit(MAX_ISSUES).execute();
  return { reading: 'digest', issues, eventId: null, next: null };
}

/** Eight symbols are a digest or a reference; the digest first, since the error page shows that one. */
async function bySymbols(db: Database, symbols: string, page: Page): Promise<Found> {
  const digest = shownDigest(symbols);
  const end = symbols.length === DIGEST_SYMBOLS ? undefined : digest + AFTER_PREFIX;
  const place = placeOf(page.cursor, LIST);
  const found = await namedIssues(db, 'digest', digest, end)
    .orderBy('issue.id', 'desc')
    .$if(place !== null, (query) =>
      query.where(sql<boolean>`(issue.last_seen_ms, issue.id) < (${place?.value}, ${place?.id})`),
    )
    .limit(page.limit + 1)
    .execute();
  const placeOfRow = (row: IssueRow) => ({ value: row.last_seen_ms, id: row.id });
  const { rows: issues, next } = pageOf(found, page.limit, placeOfRow, LIST);
  if (issues.length > 0 || symbols.length < MIN_REFERENCE_SYMBOLS) {
    return { reading: 'digest', issues, eventId: null, next };
  }
  const isMeant = (eventId: string): boolean => referenceOf(eventId).startsWith(digest);
  return byEventPrefix(db, hexPrefixOf(symbols), isMeant, 'reference');
}

/** As people see it, as far as it goes: `7KQ4M` is `7KQ4-M`. */
export function shownDigest(symbols: string): string {
  return symbols.length > DIGEST_SYMBOLS / 2 ? `${symbols.slice(0, 4)}-${symbols.slice(4)}` : symbols;
}

async function byEventPrefix(
  db: Database,
  prefix: string,
  isMeant: (eventId: string) => boolean,
  reading: FindReading,
): Promise<Found> {
  const rows = await db
    .selectFrom('event')
    .select(['event_id', 'issue_id'])
    .where('event_id', '>=', prefix)
    .where('event_id', '<', prefix + AFTER_PREFIX)
    .orderBy('event_id')
    .limit(MAX_EVENTS)
    .execute();
  const meant = rows.filter((row) => isMeant(row.event_id));
  if (meant.length === 0) return { reading, issues: [], eventId: null, next: null };
  const issues = await selectIssues(db)
    .where('issue.id', 'in', [...new Set(meant.map((row) => row.issue_id))])
    .orderBy('issue.last_seen_ms', 'desc')
    .execute();
  const eventIds = new Set(meant.map((row) => row.event_id));
  const eventId = eventIds.size === 1 ? (meant[0]?.event_id ?? null) : null;
  return { reading, issues, eventId, next: null };
}
