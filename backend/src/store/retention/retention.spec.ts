import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { DAY_MS, HOUR_MS, hourOf } from '../../time/iso.ts';
import { occupiedBytes } from '../db/occupied-bytes.ts';
import { NodeSqliteDialect } from '../db/sqlite/node-sqlite-dialect.ts';
import type { StoreTables } from '../db/schema.ts';
import { eventEnvelope, RECEIVED_MS, serverEvent } from '../test/envelopes.fixture.ts';
import { StoresUnderTest } from '../test/store-under-test.fixture.ts';
import { bytesOfFacts, sumOf } from './retain-facts.ts';
import { bytesOfIssues } from './retain-issues.ts';

const NO_LIMIT = { maxAgeMs: 1e12, maxBytes: 1e12 };

/** Returns events of four issues, each with a release, a user and a path of its own. */
function eventsWithFacts(first: number, count: number, length: number, receivedAtMs = RECEIVED_MS) {
  return Array.from({ length: count }, (_, index) => {
    const fact = String(first + index).padStart(length, 'x');
    const request = { url: `https://shop.example/${fact}` };
    const body = serverEvent(first + index, `facts/${index % 4}`, {
      release: fact,
      user: { id: fact },
      request,
    });
    return eventEnvelope(body, { receivedAtMs });
  });
}

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
  const sums = () => statements.filter((text) => text.includes('sum("bytes")'));

  /** Returns the bytes that retention counts. */
  async function countedBytes() {
    const { bytes } = await db
      .selectFrom('event')
      .select((row) => row.fn.sum<number>('bytes').as('bytes'))
      .executeTakeFirstOrThrow();
    return { facts: sumOf(await bytesOfFacts(db)), others: bytes + (await bytesOfIssues(db)) };
  }
  /** Makes the database larger than a limit. */
  const fillFile = (bytes: number) =>
    database.exec(`create table other (bytes blob); insert into other values (zeroblob(${bytes}))`);

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
    // Without users, so that the facts stay below their share.
    const withoutUser = { user: {} };
    await store.ingest(
      numbers.map((number) => eventEnvelope(serverEvent(number, `some/${number}`, withoutUser))),
    );
    const occupied = await occupiedBytes({ db, flavor: 'sqlite' });

    const { bytes } = await store.ask('retain', { ...NO_LIMIT, maxBytes: occupied - 8_000 }, RECEIVED_MS);

    expect(bytes).toBeGreaterThanOrEqual(8_000);
    expect(bytes).toBeLessThan(11_000);
  });

  it.each([
    ['short', 8],
    ['long', 250],
  ])('counts as many bytes as events with %s facts of their own need', async (_name, length) => {
    const store = await stores.open();
    await store.ask('storedEvents');
    const empty = await occupiedBytes({ db, flavor: 'sqlite' });
    for (let first = 1; first < 4_000; first += 500) await store.ingest(eventsWithFacts(first, 500, length));

    const { facts, others } = await countedBytes();
    const used = (await occupiedBytes({ db, flavor: 'sqlite' })) - empty;
    expect((facts + others) / used).toBeGreaterThan(1);
    expect((facts + others) / used).toBeLessThan(1.6);
  });

  it('deletes the facts of the hours longest ago where they are more than their share', async () => {
    const store = await stores.open();
    for (const hoursAgo of [2, 1, 0])
      await store.ingest(eventsWithFacts(100 * hoursAgo, 100, 250, RECEIVED_MS - hoursAgo * HOUR_MS));
    const ofHour = [...(await bytesOfFacts(db)).values()][0] ?? 0;
    const maxBytes = 4 * 2.5 * ofHour;
    fillFile(maxBytes);

    await store.ask('retain', { ...NO_LIMIT, maxBytes }, RECEIVED_MS);

    const hours = [...(await bytesOfFacts(db)).keys()].map(
      (seenMs) => (hourOf(RECEIVED_MS) - seenMs) / HOUR_MS,
    );
    expect(new Set(hours)).toEqual(new Set([0, 1]));
    expect(await store.ask('storedEvents')).toBe(300);
  });

  it('deletes events for as many bytes as the facts within their share need', async () => {
    const store = await stores.open();
    await store.ingest(eventsWithFacts(1, 100, 8));
    for (const first of [1_000, 2_000, 3_000])
      await store.ingest(
        Array.from({ length: 300 }, (_, index) => eventEnvelope(serverEvent(first + index))),
      );
    const { facts, others } = await countedBytes();
    fillFile(2 * others);

    const { bytes } = await store.ask('retain', { ...NO_LIMIT, maxBytes: others }, RECEIVED_MS);

    expect(bytes).toBeGreaterThanOrEqual(facts);
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
