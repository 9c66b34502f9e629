import { type RawBuilder, sql } from 'kysely';
import { inSizes } from '../db/compiled-query.ts';
import { countDeleted } from '../db/counters.ts';
import {
  ALIAS_FACT,
  BROWSER_FACT,
  ENVIRONMENT_FACT,
  fieldFactsOf,
  HOST_FACT,
  PATH_FACT,
  PERSON_FACT,
  personForms,
  placeForms,
  placesOf,
  SERVER_FACT,
  TAG_FACT,
} from '../event/fact-forms.ts';
import { tagsIn } from '../event/event-tags.ts';
import type { Database, FactKind, StoreTables, StoreTransaction } from '../db/schema.ts';
import { projectOf } from '../erasure-rules/erasure-rules.ts';

/** The columns of an event that its erasure needs. */
export interface MatchingEvent {
  readonly id: number;
  readonly event_id: string;
  readonly issue_id: number;
  readonly person: string | null;
  readonly host: string | null;
  readonly path: string | null;
  readonly environment: string | null;
  readonly server: string | null;
  readonly browser: string | null;
  readonly tags: string | null;
}

/** Number of deleted rows. */
export interface ErasedRows {
  readonly events: number;
  readonly feedback: number;
}

const FIELD_COLUMNS = ['environment', 'server', 'browser', 'tags'] as const;
const FIELD_KINDS = [ENVIRONMENT_FACT, SERVER_FACT, BROWSER_FACT, TAG_FACT] as const;
/** Newest events of an issue whose facts stay: a chunk has a hundred issues at most, and reads wait for it. */
const MAX_COMPARED = 200;

/** Columns of a {@link MatchingEvent}. */
export const MATCH_COLUMNS = [
  'id',
  'event_id',
  'issue_id',
  'person',
  'host',
  'path',
  ...FIELD_COLUMNS,
] as const;

/**
 * Deletes events, their feedback, and the facts that no other event of the issue has. Counts stay. Uses one transaction:
 * callers pass a hundred events at a time, because reads wait for it.
 *
 * @param project canonical DSN of the only project whose feedback is deleted; null for all, as feedback about an event may
 * have come with another key.
 */
export function eraseEvents(
  db: Database,
  events: readonly MatchingEvent[],
  project: string | null = null,
): Promise<ErasedRows> {
  if (events.length === 0) return Promise.resolve({ events: 0, feedback: 0 });
  return db.transaction().execute(async (trx) => {
    const ids = events.map(({ id }) => id);
    // Events first: addRule locks the tables in this order, and another order could deadlock.
    const deleted = await trx.deleteFrom('event').where('id', 'in', ids).executeTakeFirst();
    await trx.deleteFrom('event_ids').where('event', 'in', ids).execute();
    const eventIds = events.map((event) => event.event_id);
    const feedback = await trx
      .deleteFrom('feedback')
      .where('event_id', 'in', eventIds)
      .$if(project !== null, (query) => query.where('project_id', '=', projectOf(trx, project)))
      .executeTakeFirst();
    await deleteFacts(trx, events);
    await countDeleted(trx, Number(deleted.numDeletedRows));
    return { events: Number(deleted.numDeletedRows), feedback: Number(feedback.numDeletedRows) };
  });
}

/** Makes the condition that an event has a value. */
type IsIn = (value: string) => RawBuilder<boolean>;

/** Deletes the facts of deleted events, unless another event of the issue has them, too. */
async function deleteFacts(trx: StoreTransaction, events: readonly MatchingEvent[]): Promise<void> {
  for (const [issueId, group] of Map.groupBy(events, (event) => event.issue_id)) {
    const unshared = (values: readonly (string | null)[], isIn: IsIn): Promise<readonly string[]> =>
      unsharedOf(trx, issueId, values, isIn);
    const persons = await unshared(
      group.map(({ person }) => person),
      isOf,
    );
    const names = new Set(persons.flatMap(personForms));
    const places = await unshared(
      group.flatMap(({ path }) => (path === null ? [] : placesOf(path))),
      isAt,
    );
    const hosts = await unshared(
      group.map(({ host }) => host),
      (host) => sql`host = ${host}`,
    );
    await deleteValues(trx, issueId, PERSON_FACT, [...names]);
    await deleteValues(trx, issueId, ALIAS_FACT, await aliasesOf(trx, issueId, names));
    await deleteValues(trx, issueId, PATH_FACT, places.flatMap(placeForms));
    await deleteValues(trx, issueId, HOST_FACT, hosts);
    await deleteFieldFacts(trx, issueId, group);
  }
}

type FieldRow = Pick<StoreTables['event'], (typeof FIELD_COLUMNS)[number]>;

/** Deletes the facts that none of the newest events has. The next event that has one of them writes it again. */
async function deleteFieldFacts(
  trx: StoreTransaction,
  issueId: number,
  events: readonly FieldRow[],
): Promise<void> {
  const newest = await trx
    .selectFrom('event')
    .select(FIELD_COLUMNS)
    .where('issue_id', '=', issueId)
    .orderBy('occurred_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_COMPARED)
    .execute();
  for (const kind of FIELD_KINDS) {
    const kept = new Set(valuesOf(newest, kind));
    const erased = valuesOf(events, kind).filter((value) => !kept.has(value));
    await deleteValues(trx, issueId, kind, erased);
  }
}

function valuesOf(rows: readonly FieldRow[], kind: FactKind): readonly string[] {
  const facts = rows.flatMap((row) => fieldFactsOf({ ...row, tags: tagsIn(row.tags) }));
  return facts.filter(([of]) => of === kind).map(([, value]) => value);
}

/** Matches a user. SQLite knows the capitals of ASCII only: of others it matches those that are written in the same way. */
function isOf(person: string): RawBuilder<boolean> {
  return sql`lower(person) = lower(${person})`;
}

/** Matches a place, and a path also with a route behind it. */
function isAt(place: string): RawBuilder<boolean> {
  return sql`(path = ${place} or (path >= ${`${place}#`} and path < ${`${place}$`}))`;
}

/** Returns the values that no event of the issue has. */
async function unsharedOf(
  trx: StoreTransaction,
  issueId: number,
  values: readonly (string | null)[],
  isIn: IsIn,
): Promise<readonly string[]> {
  const unshared: string[] = [];
  for (const value of new Set(values)) {
    if (value === null) continue;
    const other = await trx
      .selectFrom('event')
      .select('id')
      .where('issue_id', '=', issueId)
      .where(isIn(value))
      .limit(1)
      .executeTakeFirst();
    if (other === undefined) unshared.push(value);
  }
  return unshared;
}

/** Returns the facts of the further names of users, see aliasFact. */
async function aliasesOf(
  trx: StoreTransaction,
  issueId: number,
  persons: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (persons.size === 0) return [];
  const rows = await trx
    .selectFrom('issue_fact')
    .select('value')
    .where('issue_id', '=', issueId)
    .where('kind', '=', ALIAS_FACT)
    .execute();
  return rows.map(({ value }) => value).filter((value) => persons.has(value.replace(/^.*\n/, '')));
}

async function deleteValues(
  trx: StoreTransaction,
  issueId: number,
  kind: FactKind,
  values: readonly string[],
): Promise<void> {
  for (const part of inSizes(values)) {
    await trx
      .deleteFrom('issue_fact')
      .where('kind', '=', kind)
      .where('value', 'in', part)
      .where('issue_id', '=', issueId)
      .execute();
  }
}
