import { inSizes, padded, runCompiled } from '../db/compiled-query.ts';
import { FACT_BYTES, FACT_VALUE_BYTES } from '../db/occupied-bytes.ts';
import {
  ALIAS_FACT,
  BROWSER_FACT,
  ENVIRONMENT_FACT,
  HOST_FACT,
  PATH_FACT,
  PERSON_FACT,
  RELEASE_FACT,
  SERVER_FACT,
  TAG_FACT,
  VERSION_FACT,
} from '../event/fact-forms.ts';
import { hourOf } from '../../time/iso.ts';
import type { FactKind, StoreTransaction } from '../db/schema.ts';
import type { IngestCache, TransactionCache } from './ingest-cache.ts';
import { type IssueIds, issueIdOf } from './issue-rows.ts';
import type { EncodedEvent, NewEvent } from './new-rows.ts';

/**
 * Most facts of a kind for one issue. A path may contain an id, and a forged event any name: without a limit each event
 * would add a row. Events with further facts are counted and found by their digest. Each replica uses its own count.
 */
const MAX_FACTS: Readonly<Record<FactKind, number>> = {
  [RELEASE_FACT]: 1_000,
  [VERSION_FACT]: 1_000,
  [PERSON_FACT]: 10_000,
  [PATH_FACT]: 1_000,
  [HOST_FACT]: 1_000,
  // A user has three further names at most.
  [ALIAS_FACT]: 30_000,
  [ENVIRONMENT_FACT]: 50,
  [SERVER_FACT]: 500,
  [BROWSER_FACT]: 200,
  [TAG_FACT]: 500,
};

interface FactRow {
  /** See factKey; no column. */
  readonly key: string;
  readonly kind: FactKind;
  readonly value: string;
  readonly issue_id: number;
  readonly last_seen_ms: number;
}

/** How much of its limit for a kind of facts an issue has used. */
interface FactCount {
  readonly before: number;
  admitted: number;
}

/**
 * Writes the facts of events that are not in the cache; see writeRows for the order. Returns the number of users that they
 * add to issues, by issue id.
 */
export async function recordFacts(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  ids: IssueIds,
  { cache, changes }: TransactionCache,
): Promise<ReadonlyMap<number, number>> {
  const unknown = unknownFacts(events, ids, cache);
  if (unknown.length === 0) return new Map();
  const counts = await countsOf(trx, unknown, cache);
  const admitted = unknown.filter((row) => admit(row, counts));
  const added = await insertFacts(trx, admitted);
  await touchFacts(
    trx,
    admitted.filter((row) => !added.has(row)),
  );
  for (const row of admitted) changes.add(cache.facts, row.key, row.last_seen_ms);
  for (const [key, rows] of Map.groupBy(added, countKey)) {
    changes.add(cache.factCounts, key, (counts.get(key)?.before ?? 0) + rows.length);
  }
  const users = [...added].filter(({ kind }) => kind === PERSON_FACT);
  return new Map([...Map.groupBy(users, (row) => row.issue_id)].map(([id, rows]) => [id, rows.length]));
}

/** Lists the facts that are not in the cache, in the order of their keys. */
function unknownFacts(events: readonly NewEvent[], ids: IssueIds, cache: IngestCache): readonly FactRow[] {
  const rows = new Map<string, FactRow>();
  for (const event of events) {
    const issue_id = issueIdOf(ids, event.issueKey);
    const last_seen_ms = hourOf(event.receivedMs);
    for (const [kind, value] of event.facts) {
      const key = factKey(kind, issue_id, value);
      const known = rows.get(key)?.last_seen_ms ?? cache.facts.get(key) ?? -Infinity;
      if (known < last_seen_ms) rows.set(key, { key, kind, value, issue_id, last_seen_ms });
    }
  }
  return [...rows.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/**
 * Returns a function that returns the bytes of the facts which an event of a batch writes: those that are not in the cache,
 * each once.
 */
export function writtenFactBytes(ids: IssueIds, cache: IngestCache): (event: EncodedEvent) => number {
  const written = new Set<string>();
  return (event) => {
    let bytes = 0;
    const issueId = ids.get(event.issueKey);
    const hourMs = hourOf(event.receivedMs);
    for (const [kind, value] of event.facts) {
      const key = factKey(kind, issueId ?? event.issueKey, value);
      if ((cache.facts.get(key) ?? -Infinity) >= hourMs || written.has(key)) continue;
      written.add(key);
      bytes += FACT_BYTES + FACT_VALUE_BYTES * Buffer.byteLength(value);
    }
    return bytes;
  };
}

/** @param issue its id; before it has one its issueKey, which no id equals. */
function factKey(kind: FactKind, issue: number | string, value: string): string {
  return `${kind} ${issue} ${value}`;
}

function countKey({ kind, issue_id: issueId }: Pick<FactRow, 'kind' | 'issue_id'>): string {
  return `${kind} ${issueId}`;
}

async function countsOf(
  trx: StoreTransaction,
  facts: readonly FactRow[],
  cache: IngestCache,
): Promise<ReadonlyMap<string, FactCount>> {
  const counts = new Map<string, FactCount>();
  const count = (key: string, before: number): unknown => counts.set(key, { before, admitted: 0 });
  const unknown = new Set<number>();
  for (const row of facts) {
    const key = countKey(row);
    if (counts.has(key)) continue;
    const before = cache.factCounts.get(key);
    if (before === undefined) unknown.add(row.issue_id);
    count(key, before ?? 0);
  }
  const ids = padded(unknown);
  if (ids.length === 0) return counts;
  const { rows } = await runCompiled(trx, `fact counts ${ids.length}`, ids, () =>
    trx
      .selectFrom('issue_fact')
      .select((row) => ['issue_id', 'kind', row.fn.countAll<number>().as('facts')])
      .where('issue_id', 'in', ids)
      .groupBy(['issue_id', 'kind']),
  );
  for (const row of rows) if (counts.has(countKey(row))) count(countKey(row), row.facts);
  return counts;
}

function admit(row: FactRow, counts: ReadonlyMap<string, FactCount>): boolean {
  const count = counts.get(countKey(row));
  if (count === undefined || count.before + count.admitted >= MAX_FACTS[row.kind]) return false;
  count.admitted += 1;
  return true;
}

/** Inserts facts and returns the new ones. */
async function insertFacts(trx: StoreTransaction, facts: readonly FactRow[]): Promise<ReadonlySet<FactRow>> {
  const added = new Set<FactRow>();
  for (const part of inSizes(facts)) {
    const { rows } = await runCompiled(trx, `new facts ${part.length}`, parametersOf(part), () =>
      trx
        .insertInto('issue_fact')
        .values(part.map(columnsOf))
        .onConflict((conflict) => conflict.doNothing())
        .returning(['kind', 'value', 'issue_id']),
    );
    const keys = new Set(rows.map((row) => factKey(row.kind, row.issue_id, row.value)));
    for (const row of part) if (keys.has(row.key)) added.add(row);
  }
  return added;
}

function columnsOf({ kind, value, issue_id, last_seen_ms }: FactRow) {
  return { kind, value, issue_id, last_seen_ms };
}

function parametersOf(rows: readonly FactRow[]): readonly unknown[] {
  return rows.flatMap((row) => Object.values(columnsOf(row)));
}

/** Updates the times of known facts, so that retention does not delete them. */
async function touchFacts(trx: StoreTransaction, facts: readonly FactRow[]): Promise<void> {
  for (const part of inSizes(facts)) {
    await runCompiled(trx, `facts ${part.length}`, parametersOf(part), () =>
      trx
        .insertInto('issue_fact')
        .values(part.map(columnsOf))
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'value', 'issue_id'])
            .doUpdateSet((row) => ({ last_seen_ms: row.ref('excluded.last_seen_ms') }))
            .whereRef('issue_fact.last_seen_ms', '<', 'excluded.last_seen_ms'),
        ),
    );
  }
}
