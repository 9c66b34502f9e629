import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import {
  browserEvent,
  DELIVERED,
  eventEnvelope,
  eventIdOf,
  RECEIVED_MS,
  serverEvent,
  UNREACHABLE,
} from './envelopes.fixture.ts';
import { describeEventStore } from './event-store.suite.ts';
import { StoresUnderTest } from './store-under-test.fixture.ts';
import { openSqlite } from '../db/sqlite/open-sqlite.ts';
import { encodeStoredEvent } from '../event/stored-event.ts';
import { makeFirstSchema } from './first-schema.fixture.ts';

const TO_FORGET = { environment: 'place-to-forget' };
const MAX_BYTES = 1024 * 1024 * 1024;

describe('the store on SQLite', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-store-'));
  let files = 0;
  afterAll(() => rmSync(directory, { recursive: true }));

  function newFile(): string {
    files += 1;
    return join(directory, `${files}.db`);
  }

  describeEventStore(() => {
    const file = newFile();
    return Promise.resolve(() => openSqlite(file, MAX_BYTES));
  });

  describe('at the cap of its file', () => {
    const SMALL_BYTES = 600_000;
    const stores = new StoresUnderTest(() => {
      const file = newFile();
      return Promise.resolve(() => openSqlite(file, SMALL_BYTES));
    });
    afterEach(() => stores.close());

    it('requests envelopes again, and stores them once retention has made space', async () => {
      const store = await stores.open();
      const batchOf = (first: number) =>
        Array.from({ length: 50 }, (_, index) =>
          eventEnvelope(
            serverEvent(first + index, 'a/b', { extra: { noise: randomBytes(2_000).toString('hex') } }),
          ),
        );

      let first = 0;
      let settled = await store.ingest(batchOf(first));
      while (settled[0]?.outcome === 'delivered') settled = await store.ingest(batchOf((first += 50)));

      expect(settled[0]).toEqual(UNREACHABLE);
      expect((await store.ask('issues', 10, null)).issues[0]?.events).toBe(first);
      await store.ask('retain', { maxAgeMs: 1e12, maxBytes: 0 }, RECEIVED_MS);
      expect((await store.ingest(batchOf(first)))[0]).toEqual(DELIVERED);
    });

    it('fails to store the files of a client, and stores them once they fit', async () => {
      const store = await stores.open();
      const root = mkdtempSync(join(directory, 'build-'));
      const build = ['a-AbCd1234.js', 'b-AbCd1234.png'].map((path) => ({ path, isText: false }));
      writeFileSync(join(root, 'a-AbCd1234.js'), '');
      writeFileSync(join(root, 'b-AbCd1234.png'), randomBytes(1.5 * SMALL_BYTES));
      const storeFiles = () => store.ask('storeClientFiles', [{ root, files: build }], MAX_BYTES);

      await expect(storeFiles()).rejects.toThrow('full');
      writeFileSync(join(root, 'b-AbCd1234.png'), '');

      expect(await storeFiles()).toMatchObject({ added: 2, files: 2 });
    });
  });

  it('stores envelopes again after forged errors have filled the file', async () => {
    const file = newFile();
    const stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, 4_000_000)));
    const store = await stores.open();
    const limits = { maxAgeMs: 1e12, maxBytes: 2_000_000 };
    const word = () => randomBytes(8).toString('hex');
    let number = 0;
    const forged = () =>
      Array.from({ length: 100 }, () => {
        const values = [{ type: `Made${word()}`, value: Array.from({ length: 16 }, word).join(' ') }];
        return eventEnvelope(serverEvent((number += 1), word(), { exception: { values } }));
      });
    const fill = async () => {
      let settled = await store.ingest(forged());
      while (settled[0]?.outcome === 'delivered') settled = await store.ingest(forged());
      return settled[0];
    };

    for (let times = 0; times < 3; times += 1) {
      expect(await fill()).toEqual(UNREACHABLE);
      await store.ask('retain', limits, RECEIVED_MS);
    }

    expect((await store.ingest(forged()))[0]).toEqual(DELIVERED);
    await stores.close();
  });

  it('has the events of the first schema, whose sender is unknown', async () => {
    const file = newFile();
    const { db } = openSqlite(file, MAX_BYTES);
    await makeFirstSchema(db);
    const body = { event: serverEvent(1), unmapped: null, isBrief: false };
    await sql`
      insert into event (project_id, event_id, issue_id, received_ms, occurred_ms, bytes, is_brief, payload, spool)
      values (1, ${eventIdOf(1)}, 1, 0, 0, 1, 0, ${encodeStoredEvent(body)}, 1)
    `.execute(db);
    await db.destroy();
    const stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, MAX_BYTES)));

    const event = await (await stores.open()).ask('event', eventIdOf(1));

    expect(event?.provenance).toEqual({ origin: 'unknown', isConfirmed: false });
    await stores.close();
  });

  it('leaves no trace of an interrupted migration', async () => {
    const file = newFile();
    const inTheWay = new DatabaseSync(file);
    // What the migration makes last.
    inTheWay.exec('create table feedback (id integer)');
    const stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, MAX_BYTES)));
    const store = await stores.open();
    const before = await store.ingest([eventEnvelope(serverEvent(1))]);

    inTheWay.exec('drop table feedback');
    inTheWay.close();

    expect([before, await store.ingest([eventEnvelope(serverEvent(1))])]).toEqual([
      [{ ...UNREACHABLE, reason: 'store_refused' }],
      [DELIVERED],
    ]);
    await stores.close();
  });

  it('caches nothing of a failed transaction', async () => {
    const file = newFile();
    const stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, MAX_BYTES)));
    const store = await stores.open();
    await store.ask('storedKey', 'own_project_key');
    const inTheWay = new DatabaseSync(file);
    // Written behind facts, texts and releases.
    inTheWay.exec(
      `create trigger no_relations before insert on issue_relation begin select raise(fail, 'no'); end`,
    );
    const envelope = eventEnvelope(browserEvent(1, { tags: { 'errata.server_digest': '7KQ4-M2XD' } }));

    const failed = await store.ingest([envelope]);
    inTheWay.exec('drop trigger no_relations');
    inTheWay.close();
    const taken = await store.ingest([envelope]);

    expect([failed[0]?.outcome, taken]).toEqual(['retry', [DELIVERED]]);
    const found = await Promise.all(
      ['release:shop@1.0.0', 'url:/cart', 'undefined'].map((query) => store.ask('find', query)),
    );
    expect(found.map(({ issues }) => issues.length)).toEqual([1, 1, 1]);
    expect((await store.ask('issue', eventIdOf(1)))?.releases).toEqual(['shop@1.0.0']);
    await stores.close();
  });

  it('makes the file readable for its owner only', async () => {
    const file = newFile();

    await openSqlite(file, MAX_BYTES).db.destroy();

    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('leaves no erased data readable in its files', async () => {
    const file = newFile();
    const stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, MAX_BYTES)));
    const store = await stores.open();
    const inFiles = (): boolean =>
      ['', '-wal'].some((suffix) => readFileSync(file + suffix, 'latin1').includes('person-to-forget'));
    const toForget = (number: number) => ({
      user: { username: 'person-to-forget', id: String(number) },
      request: { url: 'https://shop.example/of/person-to-forget' },
      exception: { values: [{ type: 'TypeError', value: 'nothing of person-to-forget' }] },
    });
    const numbers = Array.from({ length: 300 }, (_, index) => index + 1);
    await store.ingest(numbers.map((number) => eventEnvelope(serverEvent(number, 'a', toForget(number)))));
    await store.ask('writeAudit', {
      atMs: RECEIVED_MS,
      who: 'ann',
      role: 'support',
      action: 'find',
      target: 'user:person-to-forget',
      detail: null,
    });
    const isThereBefore = inFiles();

    await store.ask('erase', { user: 'person-to-forget' }, RECEIVED_MS + 1);

    expect([isThereBefore, inFiles()]).toEqual([true, false]);
    await stores.close();
  });

  it('leaves no erased data in the index of texts', async () => {
    const file = newFile();
    const stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, MAX_BYTES)));
    const store = await stores.open();
    const events = Array.from({ length: 40 }, (_, index) =>
      serverEvent(index + 1, `fault/${String.fromCharCode(97 + (index % 26))}${index > 25 ? 'x' : ''}`, {
        user: { id: index === 7 ? 'gone' : 'stays' },
        exception: {
          values: [{ type: 'TypeError', value: `said by ${index === 7 ? 'quixotry' : 'someone'}` }],
        },
      }),
    );
    for (const event of events) await store.ingest([eventEnvelope(event)]);

    await store.ask('erase', { user: 'gone' }, RECEIVED_MS + 1);
    await stores.close();

    const database = new DatabaseSync(file);
    database.exec("create virtual table temp.terms using fts5vocab(main, issue_text_index, 'row')");
    const rows = database.prepare('select term from temp.terms').all() as unknown as { term: string }[];
    const parts = database.prepare('select count(*) as parts from issue_text_index_idx').get();
    database.close();
    const terms = rows.map(({ term }) => term);
    expect(terms).toContain('som');
    expect(terms.filter((term) => 'quixotry'.includes(term))).toEqual([]);
    expect(parts).toEqual({ parts: 1 });
  });

  it('leaves no data readable in its files that retention deleted', async () => {
    const file = newFile();
    const stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, MAX_BYTES)));
    const store = await stores.open();
    const inFiles = (): boolean =>
      ['', '-wal'].some((suffix) => readFileSync(file + suffix, 'latin1').includes('place-to-forget'));
    await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(serverEvent(2, 'a/b', TO_FORGET))]);
    const isThereBefore = inFiles();

    await store.ask('retain', { maxAgeMs: 1e12, maxBytes: 0 }, RECEIVED_MS);

    expect([isThereBefore, inFiles()]).toEqual([true, false]);
    await stores.close();
  });
});
