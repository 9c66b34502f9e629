import { setImmediate } from 'node:timers/promises';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { hitColumns, hitsOf, isAmong, type Needle } from './hash-hits.ts';
import { candidateOf, type LinkableEvent, type LinkCandidate, selectFirst } from './link-candidates.ts';

/** A request ends within minutes; a report of it may wait for the network. */
const BEFORE_MS = 10 * 60_000;
const AFTER_MS = 60 * 60_000;
/** Rows whose ids are read, half of them on each side of the event: some 60 ms. One step of it holds up other requests. */
const MAX_ROWS = 200_000;
const STEP_ROWS = 50_000;
/** Rows by whose arrival the ends of the window are known; replicas store events in another order than that of their arrival. */
const EDGE_ROWS = 1_000;

/** Returns for each needle the first events of its rows that arrived in the window of an event, itself included. */
export async function eventsWith(
  context: QueryContext,
  event: LinkableEvent,
  needles: readonly Needle[],
  count: number,
): Promise<readonly (readonly LinkCandidate[])[]> {
  const events: (readonly LinkCandidate[])[] = [];
  if (needles.length === 0) return events;
  for (const rows of await rowsWith(context, event, needles))
    events.push(rows.length === 0 ? [] : await firstOf(context, event, rows, count));
  return events;
}

/** Returns for each needle its rows in the window of the event. */
async function rowsWith(
  { db, flavor }: QueryContext,
  event: LinkableEvent,
  needles: readonly Needle[],
): Promise<readonly (readonly number[])[]> {
  let found = needles.map((): readonly number[] => []);
  const { first, last } = await windowOf(db, event);
  for (let from = first; from <= last; from += STEP_ROWS) {
    const to = Math.min(from + STEP_ROWS - 1, last);
    const row = await db
      .selectFrom('event_ids')
      .select(hitColumns(flavor, needles))
      .where('event', '>=', from)
      .where('event', '<=', to)
      .executeTakeFirstOrThrow();
    const hits = hitsOf(row, needles);
    found = found.map((rows, at) => rows.concat(hits[at] ?? []));
    // The embedded database is synchronous: without this no other request runs.
    await setImmediate();
  }
  return found;
}

/** Returns the ids of the first and of the last row that may have arrived in the window of an event. */
async function windowOf(
  db: Database,
  { id, receivedMs }: LinkableEvent,
): Promise<{ readonly first: number; readonly last: number }> {
  const select = () => db.selectFrom('event').select('id').limit(EDGE_ROWS);
  const earliest = await select()
    .where('received_ms', '>=', receivedMs - BEFORE_MS)
    .orderBy('received_ms')
    .execute();
  const latest = await select()
    .where('received_ms', '<=', receivedMs + AFTER_MS)
    .orderBy('received_ms', 'desc')
    .execute();
  return {
    first: Math.max(id - MAX_ROWS / 2, Math.min(id, ...earliest.map((row) => row.id))),
    last: Math.min(id + MAX_ROWS / 2, Math.max(id, ...latest.map((row) => row.id))),
  };
}

async function firstOf(
  { db, flavor }: QueryContext,
  { receivedMs }: LinkableEvent,
  rows: readonly number[],
  count: number,
): Promise<readonly LinkCandidate[]> {
  const found = await selectFirst(db, count)
    .where(isAmong(flavor, rows))
    .where('event.received_ms', '>=', receivedMs - BEFORE_MS)
    .where('event.received_ms', '<=', receivedMs + AFTER_MS)
    .execute();
  return found.map(candidateOf);
}
