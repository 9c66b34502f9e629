import { mkdtempSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventEnvelope, eventIdOf, serverEvent } from './envelopes.fixture.ts';
import { StoresUnderTest } from './store-under-test.fixture.ts';
import { MAX_EVENTS_READ } from '../queries/event-scan.ts';
import { openSqlite } from '../db/sqlite/open-sqlite.ts';

/** Columns that a copy of an event needs, beside its own id. */
const NEEDED = 'project_id, issue_id, received_ms, occurred_ms, person, bytes, is_brief, payload, spool';
const MAX_BYTES = 1024 * 1024 * 1024;

describe('a read among many events', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-store-'));
  const file = join(directory, 'store.db');
  const stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, MAX_BYTES)));

  afterEach(async () => {
    await stores.close();
    rmSync(file);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('ends the search for the events of a user after many others, says so, reads on, and lets others read', async () => {
    const store = await stores.open();
    await store.ingest([eventEnvelope(serverEvent(1, 'a/b', { user: { id: 'ann' }, timestamp: 1 }))]);
    await store.ingest([eventEnvelope(serverEvent(2, 'a/b', { user: { id: 'ben' } }))]);
    const copies = new DatabaseSync(file);
    copies.exec(`
      with recursive number (n) as (select 3 union all select n + 1 from number where n < ${MAX_EVENTS_READ + 1})
      insert into event (event_id, ${NEEDED}) select printf('%032x', n), ${NEEDED} from event, number where person = 'ben'
    `);
    copies.close();

    const search = (cursor: string | null) =>
      store.ask('issueEvents', eventIdOf(1), 10, cursor, { q: 'user:ann' });
    const ended: string[] = [];
    const [first] = await Promise.all([
      search(null).finally(() => ended.push('search')),
      setImmediate()
        .then(() => store.ask('event', eventIdOf(1)))
        .then(() => ended.push('look-up')),
    ]);
    const second = await search(first?.next ?? null);

    expect(ended).toEqual(['look-up', 'search']);
    expect(first).toEqual({
      events: [],
      next: expect.any(String),
      searched: { events: MAX_EVENTS_READ, since: '2026-11-21T12:30:00.000Z', isAll: false },
    });
    expect(second).toMatchObject({
      events: [{ eventId: eventIdOf(1) }],
      next: null,
      searched: { isAll: true },
    });
  });

  it.each([
    [100_000, eventIdOf(2)],
    [100_001, undefined],
  ])(
    'joins events of a request that are not further apart than 100,000 rows (%i)',
    async (rows, expected) => {
      const store = await stores.open();
      const tags = { request_id: 'r-7f3a91c2' };
      await store.ingest([1, 2].map((number) => eventEnvelope(serverEvent(number, `a/${number}`, { tags }))));
      const [{ id: first } = { id: 0 }] = await store.db
        .selectFrom('event')
        .select('id')
        .orderBy('id')
        .execute();
      const id = first + rows;
      // PostgreSQL changes no such id. No key refers to it.
      await store.db.updateTable('event').set({ id }).where('id', '>', first).execute();
      await store.db.updateTable('event_ids').set({ event: id }).where('event', '>', first).execute();

      expect((await store.ask('event', eventIdOf(1)))?.linkedEvent?.eventId).toBe(expected);
    },
  );
});
