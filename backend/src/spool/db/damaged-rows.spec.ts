import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { balanceOf } from '../../outcome/balance.ts';
import { NO_SENDER, STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { DAY_MS } from '../../time/iso.ts';
import { envelopesOf } from '../protocol/packed-envelopes.ts';
import { LIMITS } from '../spool.fixture.ts';
import { SpoolFile } from './spool-file.ts';
import { ALL, commit, newRow, PROJECT, queuedIds, refusal } from './spool-file.fixture.ts';
import { PAGE_BYTES } from '../protocol/disk-bytes.ts';

const EVENT = 'e1'.repeat(16);
/** More than a Date has, and more than a number of JavaScript. */
const NO_TIMES = [9e15, 2n ** 60n, -1];

describe('rows that SQLite reads from a damaged page', () => {
  let directory: string;
  let file: SpoolFile;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-rows-'));
    file = new SpoolFile(directory, LIMITS);
  });

  afterEach(() => {
    file.close();
    rmSync(directory, { recursive: true });
  });

  /** Changes the closed file. */
  function damage(how: (database: DatabaseSync) => void): void {
    file.close();
    const database = new DatabaseSync(join(directory, 'spool.db'));
    how(database);
    database.close();
  }

  /** Overwrites all rows of a table of one page with zeros, and leaves the page's header and pointers. */
  function zero(table: string): void {
    let page = 0;
    damage((database) => {
      const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table);
      page = (Number(root?.['rootpage']) - 1) * PAGE_BYTES;
    });
    const bytes = readFileSync(join(directory, 'spool.db'));
    // Start of the cells: https://sqlite.org/fileformat2.html#b_tree_pages
    writeFileSync(
      join(directory, 'spool.db'),
      bytes.fill(0, page + bytes.readUInt16BE(page + 5), page + PAGE_BYTES),
    );
    file = new SpoolFile(directory, LIMITS);
  }

  it('are counted without a time when they are zeros, with those of the other pages', () => {
    commit(file, { appends: [newRow(), newRow()] });

    zero('envelope');
    const zeros = file.counts().classes;
    commit(file, { appends: [newRow({ receivedAtMs: 7 })] });

    expect(zeros).toEqual([{ class: 0, envelopes: 2, bytes: 0, oldestReceivedAtMs: null }]);
    expect(file.counts().classes).toMatchObject([{ class: 0, envelopes: 3, oldestReceivedAtMs: 7 }]);
  });

  it('are no dead letters when they are zeros', () => {
    const { ids } = commit(file, { appends: [newRow()] });
    commit(file, { settled: ids.map(refusal) });

    zero('dead_letter');

    expect(file.tables.deadLetters.list(null, 10)).toEqual([]);
  });

  it('are dead letters without origin and user agent where the sender is no JSON', () => {
    const { ids } = commit(file, { appends: [newRow()] });
    commit(file, { settled: ids.map(refusal) });

    damage((database) => database.exec("UPDATE dead_letter SET sender = '{'"));
    file = new SpoolFile(directory, LIMITS);

    expect(file.tables.deadLetters.open(1)).toMatchObject({ origin: null, userAgent: null });
  });

  it('stop no other row, and are counted once each', () => {
    commit(file, { appends: Array.from({ length: 100 }, () => newRow()) });

    damage((database) =>
      database.exec(`
        UPDATE body SET sender = '{' WHERE id = 10;
        UPDATE body SET stored = x'1f8b', is_gzip = 1 WHERE id = 20;
        UPDATE body SET crc = 7 WHERE id = 30;
        DELETE FROM body WHERE id = 40;
      `),
    );
    file = new SpoolFile(directory, LIMITS);
    const first = file.readyEnvelopes(ALL);
    const second = file.readyEnvelopes(ALL);

    const { envelopes, senderless } = envelopesOf(first.envelopes);
    expect([envelopes.length, envelopes[9]?.sender, senderless]).toEqual([97, NO_SENDER, [10]]);
    expect([first.corrupt, second.corrupt]).toEqual([[20, 30, 40], []]);
    expect(balanceOf(file.counts().ledger, file.counts().queued)).toMatchObject({
      missing: 0,
      deadLettered: 3,
    });
  });

  it.each(['class', 'disk_bytes', 'lifetime', 'project', 'pending'])(
    'stop no other row where the %s is larger than a number of JavaScript',
    (column) => {
      commit(file, { appends: [1, 2, 3].map(() => newRow()) });

      damage((database) => database.exec(`UPDATE envelope SET ${column} = ${2n ** 60n + 1n} WHERE id = 2`));
      file = new SpoolFile(directory, LIMITS);
      const ids = queuedIds(file);
      commit(file, { delivered: ids.map((id) => ({ id, bits: UPSTREAM_BIT, digest: null })) });
      file.expire(Date.now() + 30 * DAY_MS);

      expect(ids.filter((id) => id !== 2)).toEqual([1, 3]);
      expect(file.counts().queued).toBe(0);
      expect(balanceOf(file.counts().ledger, 0).missing).toBe(0);
    },
  );

  it.each(NO_TIMES)('have no time where it is %s', (time) => {
    const { ids } = commit(file, {
      appends: [1, 2].map(() => newRow({ eventId: EVENT, pending: STORE_BIT | UPSTREAM_BIT })),
    });
    const untilMs = Date.now() + 1_000;
    const limits = [{ categories: [], untilMs, reason: null }];
    commit(file, { settled: ids.slice(1).map(refusal), rateLimits: [{ project: PROJECT, limits }] });

    damage((database) => {
      for (const [table, column] of [
        ['envelope', 'received_at_ms'],
        ['dead_letter', 'received_at_ms'],
        ['dead_letter', 'dead_lettered_at_ms'],
        ['lost_event', 'at_ms'],
        ['rate_limit', 'until_ms'],
      ])
        database.prepare(`UPDATE ${table} SET ${column} = ?`).run(time);
    });
    file = new SpoolFile(directory, LIMITS);

    expect(file.counts().classes).toMatchObject([{ envelopes: 2, oldestReceivedAtMs: null }]);
    expect(file.tables.deadLetters.list(null, 10)).toMatchObject([
      { receivedAtMs: null, deadLetteredAtMs: null },
    ]);
    expect(file.traces.trace({ eventId: EVENT, project: PROJECT, receivedAtMs: 0 })).toMatchObject({
      deadLetter: { deadLetteredAtMs: null },
      lost: { atMs: null },
    });
    expect(file.traces.missing([EVENT]).event).toMatchObject({ fate: 'queued', atMs: null });
    expect(file.opened.rateLimits).toEqual([]);
  });
});
