import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventEnvelope, RECEIVED_MS, serverEvent } from '../envelopes.fixture.ts';
import { describeEventStore } from '../suite/event-store.suite.fixture.ts';
import { StoresUnderTest } from '../suite/store-under-test.fixture.ts';
import { openSqlite } from './open-sqlite.ts';

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
    const SMALL_BYTES = 400_000;
    const stores = new StoresUnderTest(() => {
      const file = newFile();
      return Promise.resolve(() => openSqlite(file, SMALL_BYTES));
    });
    afterEach(() => stores.close());

    it('asks for envelopes again, and takes them once retention has made room', async () => {
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

      expect(settled[0]).toEqual({ outcome: 'retry', reason: 'store_unreachable', retryAfterMs: null });
      expect((await store.issues(10, null)).issues[0]?.events).toBe(first);
      await store.retain({ maxAgeMs: 1e12, maxBytes: 0 }, RECEIVED_MS);
      expect((await store.ingest(batchOf(first)))[0]).toEqual({ outcome: 'delivered' });
    });
  });

  it('leaves nothing readable in its files of what retention deleted', async () => {
    const file = newFile();
    const stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, MAX_BYTES)));
    const store = await stores.open();
    const event = serverEvent(1, 'a/b', { release: 'release-to-forget', extra: { kept: 'x'.repeat(20) } });
    await store.ingest([eventEnvelope(event), eventEnvelope(serverEvent(2))]);

    await store.retain({ maxAgeMs: 1e12, maxBytes: 0 }, RECEIVED_MS);

    const raw = ['', '-wal'].map((suffix) => readFileSync(file + suffix, 'latin1')).join('');
    expect(raw.match(/0000000100000001/g)).toBeNull();
    await stores.close();
  });
});
