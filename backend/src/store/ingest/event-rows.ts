import { hash } from 'node:crypto';
import { inSizes, runCompiled } from '../db/compiled-query.ts';
import type { StoreTables, StoreTransaction } from '../db/schema.ts';
import { type IssueIds, issueIdOf } from './issue-rows.ts';
import type { EncodedEvent, NewEvent } from './new-rows.ts';

/** Bytes of a row without its payload and facts, with its index entries: measured at a million events. */
const ROW_BYTES = 330;
/** Bytes of the row of its ids without the hashes. */
const IDS_ROW_BYTES = 10;

const EVENT_ID_LENGTH = 32;

const NO_IDS = new Uint8Array();

/** Returns the bytes of an event in the database. A forged one may have facts of 3 KB. */
export function bytesOf({
  payload,
  release,
  environment,
  host,
  path,
  browser,
  person,
  server,
  tags,
  isBrief,
  ids,
}: EncodedEvent): number {
  // A brief event has its person in an index, too.
  const facts = [release, environment, host, path, browser, person, server, tags, isBrief ? person : null];
  const factBytes = facts.reduce((bytes, fact) => bytes + Buffer.byteLength(fact ?? ''), 0);
  return ROW_BYTES + factBytes + payload.byteLength + IDS_ROW_BYTES + ids.byteLength;
}

/** Gives forged events an id of their own: theirs is that of a confirmed event, which gets its feedback. */
export async function renameForged(trx: StoreTransaction, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const event = trx.selectFrom('event').where('id', '=', id);
    await trx
      .updateTable('feedback')
      .set({ issue_id: null })
      .where('event_id', '=', event.select('event_id'))
      .where('issue_id', '=', event.select('issue_id'))
      .execute();
    const eventId = hash('sha256', `errata-event/unconfirmed\n${id}`, 'hex').slice(0, EVENT_ID_LENGTH);
    await trx.updateTable('event').set({ event_id: eventId }).where('id', '=', id).execute();
  }
}

/** Inserts events with their ids and returns how many: fewer than all where another replica wrote one of them meanwhile. */
export async function insertEvents(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  issueIds: IssueIds,
): Promise<number> {
  const hashes = new Map(events.map((event) => [nameOf(event.projectId, event.eventId), event.ids]));
  let written = 0;
  for (const part of inSizes(events.map((event) => rowOf(event, issueIdOf(issueIds, event.issueKey))))) {
    const parameters = part.flatMap((row) => Object.values(row));
    const { rows } = await runCompiled(trx, `events ${part.length}`, parameters, () =>
      trx
        .insertInto('event')
        .values(part)
        .onConflict((conflict) => conflict.doNothing())
        .returning(['id', 'project_id', 'event_id']),
    );
    await insertIds(
      trx,
      rows.map((row) => ({
        event: row.id,
        hashes: hashes.get(nameOf(row.project_id, row.event_id)) ?? NO_IDS,
      })),
    );
    written += rows.length;
  }
  return written;
}

async function insertIds(trx: StoreTransaction, rows: readonly StoreTables['event_ids'][]): Promise<void> {
  for (const part of inSizes(rows)) {
    const parameters = part.flatMap(({ event, hashes }) => [event, hashes]);
    await runCompiled(trx, `event ids ${part.length}`, parameters, () =>
      trx.insertInto('event_ids').values(part),
    );
  }
}

function nameOf(projectId: number, eventId: string): string {
  return `${projectId} ${eventId}`;
}

function rowOf(event: NewEvent, issueId: number) {
  return {
    project_id: event.projectId,
    event_id: event.eventId,
    issue_id: issueId,
    received_ms: event.receivedMs,
    occurred_ms: event.occurredMs,
    release: event.release,
    environment: event.environment,
    host: event.host,
    path: event.path,
    browser: event.browser,
    person: event.person,
    server: event.server,
    tags: event.tags,
    bytes: bytesOf(event),
    is_brief: event.isBrief ? 1 : 0,
    is_excess: event.isExcess ? 1 : 0,
    payload: event.payload,
    spool: event.spool,
    origin: event.origin,
  };
}
