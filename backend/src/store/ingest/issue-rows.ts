import { type RawBuilder, sql } from 'kysely';
import { inSizes, padded, runCompiled } from '../db/compiled-query.ts';
import { levelOf } from '../../contract/alert-filter.ts';
import type { IssueKind } from '../../contract/event-api.ts';
import type { Database, StoreTransaction } from '../db/schema.ts';
import { personFact } from '../event/fact-forms.ts';
import { issueKey } from '../issues/issue-names.ts';
import type { NewEvent } from './new-rows.ts';

/** Id of each issue by its {@link issueKey}. */
export type IssueIds = ReadonlyMap<string, number>;

/** Issues that exist. */
export interface KnownIssues {
  readonly ids: IssueIds;
  /** Keys of those with a confirmed event. */
  readonly confirmed: ReadonlySet<string>;
}

export const NO_ISSUES: KnownIssues = { ids: new Map(), confirmed: new Set() };

/** The issues of a batch. Each of them has a row. */
export interface EnsuredIssues {
  readonly ids: IssueIds;
  /** Keys of the issues that existed before: the batch's events are not counted in them yet. */
  readonly uncounted: ReadonlySet<string>;
}

export function issueIdOf(ids: IssueIds, key: string): number {
  const id = ids.get(key);
  if (id === undefined) throw new Error('issue has no row');
  return id;
}

/** Returns the existing issues with these digests. */
export async function knownIssues(db: Database, digestKeys: readonly string[]): Promise<KnownIssues> {
  if (digestKeys.length === 0) return NO_ISSUES;
  const keys = padded(digestKeys);
  const { rows } = await runCompiled(db, `known issues ${keys.length}`, keys, () =>
    db
      .selectFrom('issue')
      .select(['id', 'digest_key', 'project_id', 'is_confirmed'])
      .where('digest_key', 'in', keys),
  );
  const keyOf = (row: (typeof rows)[number]): string => issueKey(row.digest_key, row.project_id);
  return {
    ids: new Map(rows.map((row) => [keyOf(row), row.id])),
    confirmed: new Set(rows.filter((row) => row.is_confirmed === 1).map(keyOf)),
  };
}

/** Creates the new issues with the batch's events counted: the transaction writes all of them or nothing. */
export async function ensureIssues(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  known: IssueIds,
): Promise<EnsuredIssues> {
  const keys = new Set(events.map((event) => event.issueKey));
  const missing = events.filter((event) => !known.has(event.issueKey));
  if (missing.length === 0) return { ids: known, uncounted: keys };
  const created = await insertIssues(trx, missing);
  // Another replica may have created the same issue since the query before.
  const raced = missing.filter((event) => !created.has(event.issueKey)).map((event) => event.digestKey);
  const theirs = await knownIssues(trx, raced);
  return {
    ids: new Map([...known, ...theirs.ids, ...created]),
    uncounted: new Set([...keys].filter((key) => !created.has(key))),
  };
}

async function insertIssues(
  trx: StoreTransaction,
  events: readonly NewEvent[],
): Promise<Map<string, number>> {
  const created = new Map<string, number>();
  for (const part of inSizes(issueRows(events, usersIn))) {
    const parameters = part.flatMap((row) => Object.values(row));
    const { rows } = await runCompiled(trx, `new issues ${part.length}`, parameters, () =>
      trx
        .insertInto('issue')
        .values(part)
        .onConflict((conflict) => conflict.doNothing())
        .returning(['id', 'digest_key', 'project_id']),
    );
    for (const row of rows) created.set(issueKey(row.digest_key, row.project_id), row.id);
  }
  return created;
}

/**
 * Adds inserted events to their issues; title, level and last release are those of the newest event. The first confirmed event of an
 * issue gives it its kind, title and releases: what a stranger has sent before it may be forged.
 *
 * @returns false where an issue of unconfirmed events was confirmed meanwhile: they are not counted in it.
 */
export async function countIssues(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  ids: IssueIds,
  newUsers: ReadonlyMap<number, number>,
): Promise<boolean> {
  let counted = 0n;
  const newIn = ([first]: Group): number => newUsers.get(issueIdOf(ids, first.issueKey)) ?? 0;
  const rows = issueRows(events, newIn);
  for (const part of inSizes(rows)) {
    const parameters = part.flatMap((row) => Object.values(row));
    const { numAffectedRows = 0n } = await runCompiled(trx, `issues ${part.length}`, parameters, () =>
      trx
        .insertInto('issue')
        .values(part)
        .onConflict((conflict) =>
          conflict
            .columns(['digest_key', 'project_id'])
            .doUpdateSet((row) => ({
              events: row('issue.events', '+', row.ref('excluded.events')),
              users: row('issue.users', '+', row.ref('excluded.users')),
              kind: ifConfirms<IssueKind>('kind', sql.ref('issue.kind')),
              title: ifConfirms<string>('title', ifNewer('title')),
              is_confirmed: row.ref('excluded.is_confirmed'),
              level: ifConfirms<string>('level', ifNewer('level')),
              last_release: ifConfirms<string | null>('last_release', ifNewer('last_release')),
              last_seen_ms: ifNewer<number>('last_seen_ms'),
              first_release: ifConfirms<string | null>('first_release', ifOlder('first_release')),
              first_seen_ms: ifOlder<number>('first_seen_ms'),
            }))
            .whereRef('issue.is_confirmed', '<=', 'excluded.is_confirmed'),
        ),
    );
    counted += numAffectedRows;
  }
  return counted === BigInt(rows.length);
}

/** Takes the value of the events that make an issue confirmed. */
function ifConfirms<T>(column: string, otherwise: RawBuilder<unknown>): RawBuilder<T> {
  const added = sql.ref(`excluded.${column}`);
  return sql<T>`case when excluded.is_confirmed > issue.is_confirmed then ${added} else ${otherwise} end`;
}

function ifNewer<T>(column: string): RawBuilder<T> {
  const [added, known] = [sql.ref(`excluded.${column}`), sql.ref(`issue.${column}`)];
  return sql<T>`case when excluded.last_seen_ms >= issue.last_seen_ms then ${added} else ${known} end`;
}

function ifOlder<T>(column: string): RawBuilder<T> {
  const [added, known] = [sql.ref(`excluded.${column}`), sql.ref(`issue.${column}`)];
  return sql<T>`case when excluded.first_seen_ms < issue.first_seen_ms then ${added} else ${known} end`;
}

/** Events of one issue. */
type Group = readonly [NewEvent, ...NewEvent[]];

/** Makes the rows of issues from their events, in the order of the keys: see writeRows. */
function issueRows(events: readonly NewEvent[], usersOf: (group: Group) => number) {
  const groups = Map.groupBy(events, (event) => event.issueKey);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...rest]]) =>
      first === undefined ? [] : [issueRow([first, ...rest], usersOf([first, ...rest]))],
    );
}

function issueRow(group: Group, users: number) {
  const first = group.reduce((oldest, event) => (event.occurredMs < oldest.occurredMs ? event : oldest));
  const last = group.reduce((newest, event) => (event.occurredMs >= newest.occurredMs ? event : newest));
  return {
    project_id: first.projectId,
    digest_key: first.digestKey,
    digest: first.digest,
    kind: first.kind,
    title: last.title,
    events: group.length,
    first_seen_ms: first.occurredMs,
    last_seen_ms: last.occurredMs,
    first_release: first.release,
    last_release: last.release,
    users,
    is_confirmed: first.isConfirmed ? 1 : 0,
    level: levelOf(last.level),
  };
}

/** Counts the users of a new issue: all of them are new. One without a fact would be counted again. */
function usersIn(group: Group): number {
  const users = group.flatMap(({ hasFacts, person }) => (hasFacts && person !== null ? [person] : []));
  return new Set(users.map(personFact)).size;
}
