import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { copyDatabase } from './database-copy.ts';

describe('copyDatabase', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-copy-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  // A copy in several steps starts again at each commit between two of them, and this test would not end.
  it('ends while another connection commits without a pause', async () => {
    const database = new DatabaseSync(join(directory, 'store.db'));
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = OFF;
      CREATE TABLE t (v);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO t SELECT randomblob(3500) FROM n;
    `);
    const write = database.prepare('UPDATE t SET v = randomblob(3500) WHERE rowid = 1');
    const copies: number[] = [];

    const copying = copyDatabase(join(directory, 'store.db'), join(directory, 'copy.db')).then((pages) =>
      copies.push(pages),
    );
    while (copies.length === 0) {
      write.run();
      await setImmediate();
    }
    await copying;
    database.close();

    const copy = new DatabaseSync(join(directory, 'copy.db'), { readOnly: true });
    expect(copy.prepare('SELECT count(*) AS rows FROM t').get()).toEqual({ rows: 4_000 });
    copy.close();
  });
});
