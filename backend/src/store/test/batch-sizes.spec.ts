import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../db/sqlite/open-sqlite.ts';
import { browserEvent, DELIVERED, eventEnvelope, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import { StoresUnderTest } from './store-under-test.fixture.ts';

const OTHER_PROJECT = 'https://fedcba9876543210fedcba9876543210@errors.example/2';
/** More than {@link inSizes} writes with one statement, in several hours. */
const EVENTS = 300;
const EVERY_MS = 70_000;

const OF_ISSUE = 'join issue on issue.id = issue_id join project on project.id = issue.project_id';

/** All that a batch writes, with names in place of the ids of issues and projects, which depend on the order in a batch. */
const WRITTEN = {
  issues: `select digest_key, dsn, digest, kind, title, events, first_seen_ms, last_seen_ms, first_release, last_release,
    status, users from issue join project on project.id = project_id order by 1, 2`,
  hours: `select digest_key, dsn, hour_ms, issue_hour.events
    from issue_hour ${OF_ISSUE} order by 1, 2, 3`,
  trend: `select dsn, hour_ms, source, spool, events
    from project_hour join project on project.id = project_id order by 1, 2, 3, 4`,
  facts: `select digest_key, dsn, issue_fact.kind, value, issue_fact.last_seen_ms
    from issue_fact ${OF_ISSUE} order by 1, 2, 3, 4`,
  // Of texts that differ by a number, a batch takes any one: the fingerprint is that of all.
  texts: `select digest_key, dsn, fingerprint from issue_text ${OF_ISSUE} order by 1, 2`,
  releases:
    'select dsn, name, first_seen_ms from "release" join project on project.id = project_id order by 1, 2',
  counters: 'select name, value from counter order by 1',
  events: `select event_id, dsn, digest_key, received_ms, occurred_ms, release, environment, path, browser, person, server, tags,
    bytes, is_brief, hex(payload) as payload, spool from event ${OF_ISSUE} order by 1, 2`,
};

/** Errors of servers and browsers, of two projects, three releases and 40 users; none is so frequent that it is stored in brief. */
function corpus() {
  return Array.from({ length: EVENTS }, (_, index) => {
    const number = index + 1;
    const facts = {
      timestamp: (RECEIVED_MS - (EVENTS - index) * EVERY_MS) / 1_000,
      release: `shop@1.${Math.floor(index / 110)}`,
      user: { id: `reader ${(index * 7) % 40}` },
    };
    const event =
      index % 3 === 0 ? browserEvent(number, facts) : serverEvent(number, `orders/part-${index % 11}`, facts);
    return eventEnvelope(event, index % 5 === 0 ? { project: OTHER_PROJECT } : {});
  });
}

describe('the rows of the store', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-batches-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  async function writtenInBatchesOf(size: number): Promise<Readonly<Record<string, unknown>>> {
    const file = join(directory, `${size}.db`);
    const stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, 2 ** 30)));
    const store = await stores.open();
    const envelopes = corpus();
    const settled: unknown[] = [];
    for (let at = 0; at < envelopes.length; at += size) {
      settled.push(...(await store.ingest(envelopes.slice(at, at + size))));
    }
    await stores.close();
    expect(settled).toEqual(envelopes.map(() => DELIVERED));
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = Object.entries(WRITTEN).map(([name, text]) => [name, database.prepare(text).all()]);
    database.close();
    return Object.fromEntries(rows);
  }

  it('are the same in batches of 1, 128 and 300', async () => {
    const single = await writtenInBatchesOf(1);

    expect(single['events']).toHaveLength(EVENTS);
    expect(await writtenInBatchesOf(128)).toEqual(single);
    expect(await writtenInBatchesOf(EVENTS)).toEqual(single);
  });
});
