import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDamage, isFull } from './database-file.ts';

function errorOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('an error of SQLite', () => {
  it('means damage where a file that is open is cut off', () => {
    const directory = mkdtempSync(join(tmpdir(), 'errata-cut-'));
    const database = new DatabaseSync(join(directory, 'spool.db'));
    // With a small cache the pages are read from the log again.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA cache_size = 5; CREATE TABLE t (v)');
    const values = Array.from({ length: 100 }, () => '(zeroblob(3000))').join();
    database.exec(`INSERT INTO t VALUES ${values}`);
    truncateSync(join(directory, 'spool.db-wal'));

    const error = errorOf(() => database.exec('SELECT sum(length(v)) FROM t'));
    database.close();
    rmSync(directory, { recursive: true });

    expect(error).toMatchObject({ errcode: 522 });
    expect([isDamage(error), isFull(error)]).toEqual([true, false]);
  });

  it.each([
    ['a damaged page', 11, [true, false]],
    ['a damaged index', 779, [true, false]],
    ['a file that is no database', 26, [true, false]],
    ['a disk that cannot be read', 266, [false, true]],
    ['a disk without room', 13, [false, true]],
    ['a statement that is wrong', 1, [false, false]],
  ])('of %s means damage, no room or neither', (_, errcode, expected) => {
    const error = Object.assign(new Error('an error'), { errcode });

    expect([isDamage(error), isFull(error)]).toEqual(expected);
  });
});
