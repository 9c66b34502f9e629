import { inSizes, padded, runCompiled } from '../db/compiled-query.ts';
import { PATH_FACT, PERSON_FACT, personFact, RELEASE_FACT } from '../event/facts.ts';
import { hourOf } from '../../time/iso.ts';
import type { FactKind, StoreTransaction } from '../db/schema.ts';
import type { IngestMemory, Memories } from './ingest-memory.ts';
import { type IssueIds, issueIdOf } from './issue-rows.ts';
import type { NewEvent } from './new-rows.ts';

/**
 * Facts of a kind that an issue has at most. A path may hold an id, and a forged event any name: without an end each
 * event would leave a row behind. What is beyond is counted with the events, and found by their digest. Each replica
 * goes by the count it knows.
 */
const MAX_FACTS: Readonly<Record<FactKind, number>> = {
  [RELEASE_FACT]: 1_000,
  [PERSON_FACT]: 10_000,
  [PATH_FACT]: 1_000,
};

interface FactRow {
  readonly kind: FactKind;
  readonly value: string;
  readonly issue_id: number;
  readonly last_seen_ms: number;
}

/** By the id of the issue, how many people the batch has brought that it had not seen. */
export type NewPeople = ReadonlyMap<number, number>;

/** Where in its cap an issue stands with facts of a kind. */
interface Count {
  readonly before: number;
  admitted: number;
}

/** Notes what the events have in common with others, as far as that is not known; see writeRows for the order. */
export async function noteFacts(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  ids: IssueIds,
  { memory, learned }: Memories,
): Promise<NewPeople> {
  const unknown = unknownFacts(events, ids, memory);
  if (unknown.length === 0) return new Map();
  const counts = await countsOf(trx, unknown, memory);
  const admitted = unknown.filter((row) => admit(row, counts));
  const added = await insertFacts(trx, admitted);
  await touchFacts(
    trx,
    admitted.filter((row) => !added.has(factKey(row))),
  );
  for (const row of admitted) learned.note(memory.facts, factKey(row), row.last_seen_ms);
  const addedRows = admitted.filter((row) => added.has(factKey(row)));
  for (const [key, rows] of Map.groupBy(addedRows, countKey)) {
    learned.note(memory.factCounts, key, (counts.get(key)?.before ?? 0) + rows.length);
  }
  const people = addedRows.filter(({ kind }) => kind === PERSON_FACT);
  return new Map([...Map.groupBy(people, (row) => row.issue_id)].map(([id, rows]) => [id, rows.length]));
}

/** In the order of their keys. */
function unknownFacts(events: readonly NewEvent[], ids: IssueIds, memory: IngestMemory): readonly FactRow[] {
  const rows = new Map<string, FactRow>();
  for (const event of events) {
    for (const [kind, value] of factsOf(event)) {
      const last_seen_ms = hourOf(event.receivedMs);
      const row = { kind, value, issue_id: issueIdOf(ids, event.issueKey), last_seen_ms };
      const key = factKey(row);
      const known = rows.get(key)?.last_seen_ms ?? memory.facts.get(key) ?? -Infinity;
      if (known < last_seen_ms) rows.set(key, row);
    }
  }
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

function factsOf({ release, person, path }: NewEvent): readonly (readonly [FactKind, string])[] {
  const facts: (readonly [FactKind, string])[] = [];
  if (release !== null) facts.push([RELEASE_FACT, release]);
  if (person !== null) facts.push([PERSON_FACT, personFact(person)]);
  if (path !== null) facts.push([PATH_FACT, path]);
  return facts;
}

function factKey({ kind, value, issue_id: issueId }: Omit<FactRow, 'last_seen_ms'>): string {
  return `${kind} ${issueId} ${value}`;
}

function countKey({ kind, issue_id: issueId }: Pick<FactRow, 'kind' | 'issue_id'>): string {
  return `${kind} ${issueId}`;
}

async function countsOf(
  trx: StoreTransaction,
  facts: readonly FactRow[],
  memory: IngestMemory,
): Promise<ReadonlyMap<string, Count>> {
  const counts = new Map<string, Count>();
  const count = (key: string, before: number): unknown => counts.set(key, { before, admitted: 0 });
  const isKnown = (row: FactRow): boolean => memory.factCounts.get(countKey(row)) !== undefined;
  for (const row of facts) count(countKey(row), memory.factCounts.get(countKey(row)) ?? 0);
  const ids = padded(facts.filter((row) => !isKnown(row)).map((row) => row.issue_id));
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

function admit(row: FactRow, counts: ReadonlyMap<string, Count>): boolean {
  const count = counts.get(countKey(row));
  if (count === undefined || count.before + count.admitted >= MAX_FACTS[row.kind]) return false;
  count.admitted += 1;
  return true;
}

/** Gives the keys of those that were not there. */
async function insertFacts(trx: StoreTransaction, facts: readonly FactRow[]): Promise<ReadonlySet<string>> {
  const added = new Set<string>();
  for (const part of inSizes(facts)) {
    const parameters = part.flatMap((row) => Object.values(row));
    const { rows } = await runCompiled(trx, `new facts ${part.length}`, parameters, () =>
      trx
        .insertInto('issue_fact')
        .values(part)
        .onConflict((conflict) => conflict.doNothing())
        .returning(['kind', 'value', 'issue_id']),
    );
    for (const row of rows) added.add(factKey(row));
  }
  return added;
}

/** Those that retention shall not take for old. */
async function touchFacts(trx: StoreTransaction, facts: readonly FactRow[]): Promise<void> {
  for (const part of inSizes(facts)) {
    const parameters = part.flatMap((row) => Object.values(row));
    await runCompiled(trx, `facts ${part.length}`, parameters, () =>
      trx
        .insertInto('issue_fact')
        .values(part)
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'value', 'issue_id'])
            .doUpdateSet((row) => ({ last_seen_ms: row.ref('excluded.last_seen_ms') }))
            .whereRef('issue_fact.last_seen_ms', '<', 'excluded.last_seen_ms'),
        ),
    );
  }
}
