import { sql } from 'kysely';
import type { FindReading } from '../../contract/find-api.ts';
import { DIGEST_SYMBOLS, hexPrefixOf, referenceOf } from '../../digest/crockford.ts';
import { type Candidate, readBack } from '../../digest/read-back.ts';
import type { Database } from '../db/schema.ts';
import { pageOf, positionOf } from './cursor.ts';
import { namedIssues } from '../issues/issue-names.ts';
import { CONFIRMED_ORIGINS } from '../event/provenance.ts';
import type { IssueRow } from '../issues/read-issues.ts';
import type { PageRange } from './issue-page.ts';
import { issuesOf } from './event-matches.ts';
import { MATCHED_COLUMNS, type MatchedEvent } from './event-terms.ts';
import { AFTER_PREFIX } from '../../envelope/event-id.ts';

/** The issues that a text names, and the event if it names one. */
export interface Found {
  readonly reading: FindReading;
  readonly issues: readonly IssueRow[];
  /** Those of `issues` that are meant: the others have an event whose id a stranger may have made alike. */
  readonly meant: readonly IssueRow[];
  /** The events that the text names. */
  readonly events: readonly MatchedEvent[];
  readonly eventId: string | null;
  /** Cursor of the next page, when more issues match a part of a digest. */
  readonly next: string | null;
  /** Whether more events match than were read. */
  readonly isCut?: boolean;
}

/** The issues among which a read searches, and how many of them it returns. */
interface Scope extends PageRange {
  /** Canonical DSN; null for all projects. */
  readonly project: string | null;
}

/** Names of the two lists in the cursors, by `is_confirmed`. */
const LISTS = ['digest', 'confirmed'];
/** Most projects with the same digest that one read compares. */
const MAX_ISSUES = 20;
/** Events that an answer names, and that are read for it: by chance no two have one reference. */
const MAX_EVENTS = 20;
const MAX_EVENTS_READ = 1_000;
/** A shorter part of a reference is ignored: among a million events, four symbols match some event by chance. */
const MIN_REFERENCE_SYMBOLS = 6;

/**
 * Tries each reading of the text, the most certain first, until one finds an issue. Returns undefined if none does. A text
 * with a digest may also name an event of its issue: pages, problem details and log lines have both.
 */
export async function findByName(
  db: Database,
  text: string,
  page: PageRange,
  project: string | null = null,
): Promise<Found | undefined> {
  const candidates = readBack(text);
  const scope = { ...page, project };
  for (const [at, candidate] of candidates.entries()) {
    const found = await findCandidate(db, candidate, scope);
    if (found.issues.length === 0) continue;
    return found.events.length > 0
      ? found
      : ((await eventOf(db, found.issues, candidates.slice(at + 1), scope)) ?? found);
  }
  return undefined;
}

/** Returns what the first event id or reference finds that means one event of the issues. A digest of theirs is none. */
async function eventOf(
  db: Database,
  issues: readonly IssueRow[],
  candidates: readonly Candidate[],
  scope: Scope,
): Promise<Found | undefined> {
  for (const candidate of candidates) {
    const named = eventsNamed(candidate);
    if (named === null || issues.some(({ digest }) => digest === named.reference)) continue;
    const found = await byEventPrefix(db, named, scope);
    const event = found.events.find(({ event_id: id }) => id === found.eventId);
    if (event !== undefined && issues.some(({ id }) => id === event.issue_id)) return found;
  }
  return undefined;
}

/**
 * Returns the one issue that a text names, in a project or (null) in any. Returns undefined when no digest or several
 * digests match. When several projects have the digest, it returns the issue that was seen last, a confirmed one first.
 */
export async function oneIssue(
  db: Database,
  text: string,
  project: string | null,
): Promise<IssueRow | undefined> {
  const found = await findByName(db, text, { cursor: null, limit: MAX_ISSUES }, project);
  const issues = found?.meant ?? [];
  if (new Set(issues.map((issue) => issue.digest_key)).size > 1) return undefined;
  return issues.find((issue) => issue.is_confirmed === 1) ?? issues[0];
}

function findCandidate(db: Database, candidate: Candidate, scope: Scope): Promise<Found> {
  switch (candidate.kind) {
    case 'key':
      return byDigest(db, namedIssues(db, 'digest_key', candidate.key), scope);
    case 'exact':
      return byDigest(db, namedIssues(db, 'digest', candidate.digest).where(IS_MEANT), scope);
    case 'event_id':
      return byEventPrefix(db, ofEventId(candidate.eventId), scope);
    case 'symbols':
      return bySymbols(db, candidate.symbols, scope);
  }
}

/** Returns the events that a candidate may name; null for one that names none. */
function eventsNamed(candidate: Candidate): EventPrefix | null {
  if (candidate.kind === 'event_id') return ofEventId(candidate.eventId);
  const isReference = candidate.kind === 'symbols' && candidate.symbols.length >= MIN_REFERENCE_SYMBOLS;
  return isReference ? ofReference(candidate.symbols) : null;
}

function ofEventId(prefix: string): EventPrefix {
  return { prefix, reading: 'event_id', reference: '' };
}

function ofReference(symbols: string): EventPrefix {
  return { prefix: hexPrefixOf(symbols), reading: 'reference', reference: shownDigest(symbols) };
}

/** A digest does not mean an unconfirmed issue beside a confirmed one of its project. */
const IS_MEANT = sql<boolean>`(select 1 from issue as other where other.digest = issue.digest
  and other.project_id = issue.project_id and other.is_confirmed > issue.is_confirmed limit 1) is null`;

/** Reads a page of the issues of a project, the confirmed ones first, in both parts the one seen last. */
async function byDigest(
  db: Database,
  named: ReturnType<typeof namedIssues>,
  { cursor, limit, project }: Scope,
): Promise<Found> {
  const isConfirmed = LISTS.findLastIndex((list) => positionOf(cursor, list) !== null);
  const position = positionOf(cursor, LISTS[Math.max(0, isConfirmed)]);
  const found = await named
    .$if(project !== null, (query) => query.where('issue.project_id', 'in', idsOf(db, project)))
    .$if(position !== null, (query) =>
      query.where(
        sql<boolean>`(issue.is_confirmed, issue.last_seen_ms, issue.id)
          < (${sql.lit(isConfirmed)}, ${position?.value}, ${position?.id})`,
      ),
    )
    .orderBy('issue.is_confirmed', 'desc')
    .orderBy('issue.last_seen_ms', 'desc')
    .orderBy('issue.id', 'desc')
    .limit(limit + 1)
    .execute();
  const positionOfRow = (row: IssueRow) => ({ value: row.last_seen_ms, id: row.id });
  const { rows: issues, next } = pageOf(found, limit, positionOfRow, (row) => LISTS[row.is_confirmed] ?? '');
  return { reading: 'digest', issues, meant: issues, events: [], eventId: null, next };
}

function idsOf(db: Database, project: string | null) {
  return db.selectFrom('project').select('id').where('dsn', '=', project);
}

/** Finds by eight symbols, which are a digest or a reference. It tries the digest first, because the error page shows it. */
async function bySymbols(db: Database, symbols: string, scope: Scope): Promise<Found> {
  const digest = shownDigest(symbols);
  const end = symbols.length === DIGEST_SYMBOLS ? undefined : digest + AFTER_PREFIX;
  const found = await byDigest(db, namedIssues(db, 'digest', digest, end).where(IS_MEANT), scope);
  if (found.issues.length > 0 || symbols.length < MIN_REFERENCE_SYMBOLS) return found;
  return byEventPrefix(db, ofReference(symbols), scope);
}

/** Formats symbols as pages show them, also a part of a digest: `7KQ4M` becomes `7KQ4-M`. */
export function shownDigest(symbols: string): string {
  return symbols.length > DIGEST_SYMBOLS / 2 ? `${symbols.slice(0, 4)}-${symbols.slice(4)}` : symbols;
}

/** A range of event ids. */
interface EventPrefix {
  readonly prefix: string;
  readonly reading: FindReading;
  /** Beginning of the reference that the events must have; empty for any. */
  readonly reference: string;
}

/** A stranger can choose the id of an event: the confirmed events come first, then those that arrived first. */
async function byEventPrefix(
  db: Database,
  { prefix, reading, reference }: EventPrefix,
  { project }: Scope,
): Promise<Found> {
  const arrived = async (isConfirmed: boolean) => {
    const rows = await db
      .selectFrom('event')
      .select([...MATCHED_COLUMNS, 'id', 'received_ms'])
      .where('event_id', '>=', prefix)
      .where('event_id', '<', prefix + AFTER_PREFIX)
      .where('origin', isConfirmed ? 'in' : 'not in', CONFIRMED_ORIGINS)
      .$if(project !== null, (query) => query.where('project_id', 'in', idsOf(db, project)))
      .orderBy('event_id')
      .limit(MAX_EVENTS_READ)
      .execute();
    return rows
      .filter((row) => referenceOf(row.event_id).startsWith(reference))
      .toSorted((one, other) => one.received_ms - other.received_ms || one.id - other.id);
  };
  const confirmed = await arrived(true);
  const all = [...confirmed, ...(await arrived(false))];
  const events = all.slice(0, MAX_EVENTS);
  const certain = confirmed.length > 0 ? confirmed : all;
  const [eventId, ...others] = new Set(certain.map((row) => row.event_id));
  const issues = await issuesOf(db, events);
  return {
    reading,
    issues,
    meant: issues.filter(({ id }) => certain.some((row) => row.issue_id === id)),
    events,
    eventId: others.length === 0 ? (eventId ?? null) : null,
    next: null,
    ...(all.length > MAX_EVENTS && { isCut: true }),
  };
}
