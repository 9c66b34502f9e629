import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type CompiledQuery, Kysely } from 'kysely';
import { referenceOf } from '../../digest/crockford.ts';
import { browserEvent, eventEnvelope, eventIdOf, RECEIVED_MS, serverEvent } from './envelopes.fixture.ts';
import { briefEventsOf } from '../erasure/find-matches.ts';
import { ownApplication } from '../event/own-files.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import type { StoreTables } from '../db/schema.ts';
import { TestedStore } from './tested-store.fixture.ts';
import { NodeSqliteDialect } from '../db/sqlite/node-sqlite-dialect.ts';

/** A table that is read from end to end. */
const READ_WHOLE = /^SCAN (?!.* USING (?:COVERING )?INDEX|found$|.* VIRTUAL TABLE)/;
/** Rows that are all read before the first of them is known. */
const SORTED = /TEMP B-TREE FOR ORDER BY/;
const KEY = 'a'.repeat(64);
const CURSOR = '1795000000000.5';

/** A store that tells how SQLite goes about each question it is asked. */
class ExplainedStore {
  readonly store: TestedStore;
  readonly db: Kysely<StoreTables>;
  readonly #database: DatabaseSync;
  #asked: CompiledQuery[] = [];

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.db = new Kysely<StoreTables>({
      dialect: new NodeSqliteDialect(this.#database),
      log: ({ query }) => void this.#asked.push(query),
    });
    this.store = new TestedStore(
      { db: this.db, flavor: 'sqlite' },
      {
        read: {
          maps: { mapper: new SourceMapper(() => Promise.resolve(undefined)), idsOf: () => [] },
          own: ownApplication('/srv/errata'),
          spool: 1,
        },
        onFault: (fault) => {
          throw fault;
        },
        now: () => RECEIVED_MS,
      },
    );
  }

  /** The steps of all queries behind a question. */
  async plan(ask: (store: TestedStore) => Promise<unknown>): Promise<readonly string[]> {
    this.#asked = [];
    await ask(this.store);
    return this.#asked
      .filter(({ sql }) => /^\s*(?:select|delete)/i.test(sql))
      .flatMap(({ sql, parameters }) => this.planOf(sql, parameters as readonly SQLInputValue[]));
  }

  planOf(sql: string, parameters: readonly SQLInputValue[] = []): readonly string[] {
    const steps = this.#database.prepare(`explain query plan ${sql}`).all(...parameters);
    return steps.map(({ detail }) => String(detail));
  }
}

describe('the reads on SQLite', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-plans-'));
  const explained = new ExplainedStore(join(directory, 'store.db'));
  beforeAll(() => explained.store.ingest([eventEnvelope(serverEvent(1))]));
  afterAll(async () => {
    await explained.store.close();
    rmSync(directory, { recursive: true });
  });

  it.each<[string, (store: TestedStore) => Promise<unknown>]>([
    ['a digest', (store) => store.ask('find', 'ABCD-EFGH')],
    ['a part of a digest', (store) => store.ask('find', 'ABCDE')],
    ['an event id', (store) => store.ask('find', eventIdOf(1))],
    ['an issue', (store) => store.ask('issue', eventIdOf(1))],
    [
      'issues whose status is set',
      (store) => store.ask('setStatus', { issues: [{ key: KEY, project: 'x' }], status: 'ignored' }),
    ],
    ['an issue of a project', (store) => store.ask('issue', eventIdOf(1), 'x')],
    ['the line of a fault', (store) => store.ask('pageLine', KEY, 'x')],
    ['an event of a project', (store) => store.ask('event', eventIdOf(1), 'x')],
    ['an event that becomes visible after a later one', (store) => store.ask('liveEvents', '2.1')],
  ])('find %s without reading a whole table', async (_name, ask) => {
    const plan = await explained.plan(ask);

    expect(plan.length).toBeGreaterThan(0);
    expect(plan.filter((step) => READ_WHOLE.test(step))).toEqual([]);
  });

  it.each<[string, (store: TestedStore) => Promise<unknown>]>([
    ['events of an issue', (store) => store.ask('issueEvents', eventIdOf(1), 10, CURSOR)],
    ['the newest issues', (store) => store.ask('issues', 10, `last${CURSOR}`)],
    ['the newest open issues', (store) => store.ask('issues', 10, `last${CURSOR}`, { status: 'open' })],
    [
      'the first seen issues',
      (store) => store.ask('issues', 10, `first${CURSOR}`, { sort: 'first', status: 'open' }),
    ],
    [
      'the most frequent issues',
      (store) => store.ask('issues', 10, 'events7.5', { sort: 'events', status: 'open' }),
    ],
    [
      'the issues with most users',
      (store) => store.ask('issues', 10, 'users7.5', { sort: 'users', kind: 'server' }),
    ],
    ['feedback without an event', (store) => store.ask('feedback', 10, CURSOR)],
    ['new events', (store) => store.ask('liveEvents', '0')],
  ])('list %s in the order of an index', async (_name, ask) => {
    const plan = await explained.plan(ask);

    expect(plan.length).toBeGreaterThan(0);
    expect(plan.filter((step) => READ_WHOLE.test(step) || SORTED.test(step))).toEqual([]);
  });

  it('would show the reading or the sorting of a whole table', () => {
    const plan = explained.planOf(`select * from event where browser = 'x' order by environment`);

    expect(plan).toEqual([expect.stringMatching(READ_WHOLE), expect.stringMatching(SORTED)]);
  });

  it.each([
    ['release:1.0.0', /issue_fact USING (?:COVERING INDEX|PRIMARY KEY)/],
    ['url:/orders', /issue_fact USING (?:COVERING INDEX|PRIMARY KEY)/],
    ['url:shop.example', /issue_fact USING (?:COVERING INDEX|PRIMARY KEY)/],
    ['items', /VIRTUAL TABLE INDEX/],
  ])('search for %s by an index', async (query, expected) => {
    const plan = await explained.plan((store) => store.ask('find', query));

    expect(plan).toContainEqual(expect.stringMatching(expected));
  });

  it.each(['last', 'first', 'events', 'users'] as const)(
    'counts the open issues of a list in the order %s by the index on the status',
    async (sort) => {
      const filters = { q: '', status: 'open', kind: 'all', project: '', sort } as const;

      const plan = await explained.plan((store) => store.ask('countIssues', filters));

      expect(plan).toContainEqual(
        expect.stringMatching(/^SEARCH issue USING .*INDEX issue_status \(status=\?\)$/),
      );
    },
  );

  it('finds the server event that a browser names by the range of its reference', async () => {
    const tags = { 'errata.server_digest': 'AAAA-AAAA', 'errata.server_reference': 'ABCD-1234' };
    await explained.store.ingest([eventEnvelope(browserEvent(2, { tags }))]);

    const plan = await explained.plan((store) => store.ask('event', eventIdOf(2)));

    expect(plan).toContainEqual(
      expect.stringMatching(/event USING INDEX \S+ \(event_id>\? AND event_id<\?\)$/),
    );
    expect(plan.filter((step) => READ_WHOLE.test(step))).toEqual([]);
  });

  it('finds the browser event that names a server’s by the ids of rows', async () => {
    const { digest } = (await explained.store.ask('event', eventIdOf(1))) ?? {};
    const tags = { 'errata.server_digest': digest, 'errata.server_reference': referenceOf(eventIdOf(1)) };
    await explained.store.ingest([eventEnvelope(browserEvent(3, { tags }))]);

    const plan = await explained.plan((store) => store.ask('event', eventIdOf(1)));

    expect(plan).toContain('SEARCH event_ids USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
    expect(plan).toContain('SEARCH event USING INTEGER PRIMARY KEY (rowid=?)');
    expect(plan.filter((step) => READ_WHOLE.test(step))).toEqual([]);
  });

  it('finds the paths of issues with one title by the index of the facts of an issue', async () => {
    const sent = (number: number, place: string) =>
      eventEnvelope(serverEvent(number, place, { request: { url: `https://shop.example/${place}` } }));
    await explained.store.ingest([
      ...Array.from({ length: 20 }, (_, at) => sent(10 + at, 'shop')),
      ...['cart', 'pay', 'orders'].map((place, at) => sent(30 + at, place)),
    ]);

    const plan = await explained.plan((store) => store.ask('issueFacets', eventIdOf(10)));

    expect(plan).toContain(
      'SEARCH issue_fact USING COVERING INDEX issue_fact_issue (issue_id=? AND kind=? AND value>?)',
    );
  });

  it('finds the brief events of a user by their own index', async () => {
    const plan = await explained.plan(() =>
      briefEventsOf(explained.db, 'ann', { atMs: RECEIVED_MS, project: null }),
    );

    expect(plan[0]).toContain('INDEX event_brief_person (person=? AND rowid>?)');
  });

  it('finds the events above the share of a sender by their own index', async () => {
    const limits = { maxAgeMs: 1e12, maxBytes: 0 };
    const plan = await explained.plan((store) => store.ask('retain', limits, RECEIVED_MS));

    expect(plan).toContainEqual(expect.stringMatching(/^SCAN event USING .*INDEX event_excess/));
  });
});
