import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zeroLeaf, zeroPage } from '../../sqlite/damage.fixture.ts';
import { EventStore, startStoreWorker, StoreUnavailable } from '../event-store.ts';
import { rescueStore } from '../rescue-store.ts';
import { openSqlite } from '../db/sqlite/open-sqlite.ts';
import { DELIVERED, eventEnvelope, eventIdOf, serverEvent } from './envelopes.fixture.ts';
import { StoresUnderTest } from './store-under-test.fixture.ts';
import { digestOfEvent, type TestedStore } from './tested-store.fixture.ts';

const EVENTS = 300;
const MAX_BYTES = 2 ** 30;
const NUMBERS = Array.from({ length: EVENTS }, (_, at) => at + 1);

/** A word without digits, which a text search would not compare. */
function wordOf(number: number): string {
  return `y${String(number).replaceAll(/\d/g, (digit) => 'qwxzkjvbph'[Number(digit)] ?? '')}y`;
}

function eventOf(number: number) {
  const word = wordOf(number);
  const frames = [
    { filename: `/srv/shop/dist/${word}.js`, function: 'loadOrder', lineno: 7, colno: 3, in_app: true },
  ];
  const values = [{ type: 'TypeError', value: `no basket of ${word}`, stacktrace: { frames } }];
  return eventEnvelope(
    serverEvent(number, word, { exception: { values }, extra: { noise: 'noise '.repeat(100) } }),
  );
}

describe('a damaged file of the store', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-rescue-'));
  const whole = join(directory, 'whole.db');
  let file: string;
  let number = 0;
  let digests: readonly string[];
  const stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, MAX_BYTES)));

  beforeAll(async () => {
    file = whole;
    const store = await stores.open();
    await store.ingest(NUMBERS.map(eventOf));
    digests = await Promise.all(NUMBERS.map((each) => digestOfEvent(store, each)));
    await stores.close();
  });

  beforeEach(() => {
    file = join(directory, `${(number += 1)}.db`);
    copyFileSync(whole, file);
  });

  afterEach(() => stores.close());
  afterAll(() => rmSync(directory, { recursive: true }));

  /** A store in its threads, and what it reports. */
  function open() {
    const retention = { maxAgeMs: 1e12, maxBytes: MAX_BYTES };
    const limits = { maxFileBytes: MAX_BYTES, maxLogBytes: 2 ** 26, retention };
    const served = { release: 'shop@1.0.0', publicOrigin: null, otherProjects: [] };
    const data = {
      databaseUrl: null,
      file,
      limits,
      clientDirs: [],
      applicationRoot: '/srv/shop',
      served,
      alerts: { publicUrl: null, targets: [] },
      spool: 1,
    };
    const replaced = Promise.withResolvers<string>();
    const threads: (boolean | undefined)[] = [];
    const answers: Promise<unknown>[] = [];
    const store = new EventStore(data, {
      onFault: (fault) => {
        if (String(fault).includes('moved to')) replaced.resolve(String(fault));
      },
      start: (start) => {
        threads.push(start.isDamaged);
        queueMicrotask(() => answers.push(store.ask('storedEvents').catch((error: unknown) => error)));
        return startStoreWorker(start);
      },
    });
    return { store, replaced: replaced.promise, threads, answers };
  }

  /** Returns the numbers of the events that a store has by ID. */
  async function stored(store: TestedStore): Promise<readonly number[]> {
    const events = await Promise.all(NUMBERS.map((each) => store.ask('event', eventIdOf(each))));
    return NUMBERS.filter((each) => events[each - 1]);
  }

  /** Returns the number of deleted events that a search without a result names. */
  async function deleted(store: TestedStore): Promise<number | undefined> {
    return (await store.ask('find', 'nothing of this text')).hint?.deleted;
  }

  function rootOf(table: string): number {
    const database = new DatabaseSync(whole);
    const root = database.prepare('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?').get(table);
    database.close();
    return Number(root?.['page']);
  }

  it.each([
    ['a leaf of its events', () => zeroLeaf(file, 'event'), true],
    ['a leaf of an index', () => zeroLeaf(file, 'issue_digest'), false],
    ['a leaf of the text index', () => zeroLeaf(file, 'issue_text_index_data'), false],
    ['a root', () => zeroPage(file, rootOf('issue_fact')), false],
  ])('loses no event off the bad page without %s', async (_, damage, hasLoss) => {
    const onPage = damage() ?? 0;

    const { problem } = await rescueStore(file);
    const store = await stores.open();
    const left = await stored(store);
    const sample = left[0] ?? 0;
    const found = await store.ask('find', `basket of ${wordOf(sample)}`);

    expect(problem).toBeNull();
    expect(left.length).toBe(EVENTS - (hasLoss ? onPage : 0));
    expect((await store.ask('issue', digests[sample - 1] ?? ''))?.events).toBe(1);
    expect(found.issues.map(({ digest }) => digest)).toEqual([digests[sample - 1]]);
    expect(await deleted(store)).toBe(EVENTS - left.length);
    expect(await store.ingest([eventOf(EVENTS + 1)])).toEqual([DELIVERED]);
  });

  it('loses the events of a lost issue, and counts them as deleted', async () => {
    const rows = zeroLeaf(file, 'issue');

    await rescueStore(file);
    const store = await stores.open();

    expect((await stored(store)).length).toBe(EVENTS - rows);
    expect([await store.ask('storedEvents'), await deleted(store)]).toEqual([EVENTS, rows]);
  });

  it('stores an event with the number of a lost one', async () => {
    zeroPage(file, rootOf('sqlite_sequence'));
    zeroPage(file, rootOf('event'));

    await rescueStore(file);

    expect(await (await stores.open()).ingest([eventOf(1)])).toEqual([DELIVERED]);
  });

  it('ends one thread, and is replaced by the next one, which refuses look-ups meanwhile', async () => {
    const rows = zeroLeaf(file, 'event');
    const { store, replaced, threads, answers } = open();

    const asked = Promise.all(NUMBERS.map((each) => store.ask('event', eventIdOf(each))));
    await expect(asked).rejects.toThrow(StoreUnavailable);
    const fault = await replaced;
    const events = await Promise.all(NUMBERS.map((each) => store.ask('event', eventIdOf(each))));
    const settled = await store.ingest([eventOf(EVENTS + 1)]);
    await store.close();

    expect(threads).toEqual([false, true]);
    expect(await answers[1]).toEqual(new StoreUnavailable('the store is being rebuilt'));
    expect(fault).toMatch(/a copy of what could be read took its place; rows are missing of: event$/);
    expect(events.filter(Boolean).length).toBe(EVENTS - rows);
    expect(settled).toEqual([DELIVERED]);
  });

  it('ends the thread that meets it in a batch', async () => {
    zeroPage(file, rootOf('issue_fact'));
    const { store, replaced } = open();

    const [before] = await store.ingest([eventOf(EVENTS + 1)]);
    await replaced;
    const after = await store.ingest([eventOf(EVENTS + 1)]);
    await store.close();

    expect(before).toMatchObject({ outcome: 'retry', reason: 'store_down' });
    expect(after).toEqual([DELIVERED]);
  });

  it('is created again where nothing of it can be read', async () => {
    writeFileSync(file, 'this is no database'.repeat(500));
    const { store, replaced } = open();

    expect(await replaced).toContain('created again, as no copy could be made: file is not a database');
    expect(await store.ingest([eventOf(1)])).toEqual([DELIVERED]);
    await store.close();
  });
});
