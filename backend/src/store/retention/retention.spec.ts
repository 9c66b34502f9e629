import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../time/iso.ts';
import { occupiedBytes } from '../db/occupied-bytes.ts';
import { NodeSqliteDialect } from '../db/sqlite/node-sqlite-dialect.ts';
import type { StoreTables } from '../db/schema.ts';
import { eventEnvelope, RECEIVED_MS, serverEvent } from '../test/envelopes.fixture.ts';
import { StoresUnderTest } from '../test/store-under-test.fixture.ts';

const NO_LIMIT = { maxAgeMs: 1e12, maxBytes: 1e12 };

describe('retain', () => {
  let statements: string[] = [];
  let database: DatabaseSync;
  let db: Kysely<StoreTables>;
  const stores = new StoresUnderTest(() => {
    database = new DatabaseSync(':memory:');
    const log = ({ query }: { readonly query: { readonly sql: string } }) => void statements.push(query.sql);
    db = new Kysely<StoreTables>({ dialect: new NodeSqliteDialect(database), log });
    return Promise.resolve(() => ({ db, flavor: 'sqlite' }));
  });
  afterEach(() => stores.close());

  /** Stores an event in each of three hours, and one that is older than any limit of the tests. */
  async function storeOfFourHours() {
    const store = await stores.open();
    for (const [number, hoursAgo] of [0, 1, 5, 40 * 24].entries()) {
      const receivedAtMs = RECEIVED_MS - hoursAgo * HOUR_MS;
      await store.ingest([eventEnvelope(serverEvent(number + 1), { receivedAtMs })]);
    }
    statements = [];
    return store;
  }
  const sums = () => statements.filter((text) => text.includes('sum('));

  it('adds up no events while the database is within its size', async () => {
    const store = await storeOfFourHours();

    await store.ask('retain', NO_LIMIT, RECEIVED_MS);

    expect(sums()).toEqual([]);
  });

  it('adds up the events of one hour at a time when the database is larger', async () => {
    const store = await storeOfFourHours();

    await store.ask('retain', { ...NO_LIMIT, maxBytes: 100_000 }, RECEIVED_MS);

    expect(sums()).toHaveLength(4);
    expect(new Set(sums())).toEqual(
      new Set([expect.stringMatching(/"event" where "received_ms" >= \? and "received_ms" < \?$/)]),
    );
  });

  it('deletes no more than the database is larger, where the rows are counted as more', async () => {
    const store = await stores.open();
    const numbers = Array.from({ length: 300 }, (_, index) => index + 1);
    await store.ingest(numbers.map((number) => eventEnvelope(serverEvent(number, `some/${number}`))));
    const occupied = await occupiedBytes({ db, flavor: 'sqlite' });

    const { bytes } = await store.ask('retain', { ...NO_LIMIT, maxBytes: occupied - 8_000 }, RECEIVED_MS);

    expect(bytes).toBeGreaterThanOrEqual(8_000);
    expect(bytes).toBeLessThan(11_000);
  });

  it('runs the other steps when one fails, and reports its error', async () => {
    const store = await storeOfFourHours();
    database.exec(`create trigger kept before delete on event begin select raise(fail, 'kept'); end`);

    const retained = store.ask('retain', { maxAgeMs: 30 * DAY_MS, maxBytes: 0 }, RECEIVED_MS);

    await expect(retained).rejects.toThrow('kept');
    expect(database.prepare('select count(*) as hours from issue_hour').get()).toEqual({ hours: 3 });
  });

  it('counts the events that it has deleted for space before a step failed', async () => {
    const store = await storeOfFourHours();
    database.exec(`create trigger kept before delete on issue_hour begin select raise(fail, 'kept'); end`);

    const retained = store.ask('retain', { maxAgeMs: 30 * DAY_MS, maxBytes: 0 }, RECEIVED_MS);

    await expect(retained).rejects.toThrow('kept');
    expect(await store.ask('earlyEvictions')).toBe(3);
  });

  it('leaves nothing in the cache of ingest that it has deleted before a step failed', async () => {
    const store = await stores.open();
    await store.ingest([eventEnvelope(serverEvent(1))]);
    database.exec(`create trigger kept before delete on issue_hour begin select raise(fail, 'kept'); end`);
    const nowMs = RECEIVED_MS + 40 * DAY_MS;
    const retained = store.ask('retain', { ...NO_LIMIT, maxAgeMs: 30 * DAY_MS }, nowMs);
    await expect(retained).rejects.toThrow('kept');

    await store.ingest([eventEnvelope(serverEvent(2))]);

    expect((await store.ask('find', 'release:shop@1.0.0')).issues).toHaveLength(1);
  });
});
