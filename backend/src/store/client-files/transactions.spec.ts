import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../db/migrations/migrate.ts';
import type { DiskRoom, StoreDatabase } from '../db/schema.ts';
import { openSqlite } from '../db/sqlite/open-sqlite.ts';
import { deleteFile, listFiles, touchFile, writeFile } from './client-file-rows.ts';
import { Transactions } from './transactions.ts';

const MIB = 2 ** 20;
const CONTENT = { coding: 'identity' as const, body: new Uint8Array(1) };

describe('writes of client files', () => {
  let folder: string;
  let database: StoreDatabase;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errata-files-'));
    database = openSqlite(join(folder, 'store.db'), 64 * MIB);
    await migrate(database);
  });

  afterEach(async () => {
    await database.db.destroy();
    rmSync(folder, { recursive: true });
  });

  const fileOf = (name: string, seenMs = 1) => ({ path: name, length: 1, size: 1, seenMs });
  /** A disk that has room for so many transactions. */
  function diskFor(transactions: number, needed: number[]): DiskRoom {
    const need = (bytes: number): void => {
      if (needed.push(bytes) > transactions) throw new Error('the disk is full');
    };
    return { batchBytes: () => Infinity, need, wrote: () => {}, limit: () => {}, setMigrating: () => {} };
  }

  it('are joined to transactions of 64 files or 1 MiB, and larger ones for larger files', async () => {
    const needed: number[] = [];
    const writes = new Transactions(database.db, diskFor(Infinity, needed));

    for (const bytes of [...Array<number>(65).fill(1), MIB - 1, 1, 3 * MIB, 5])
      await writes.add(bytes, () => Promise.resolve());
    await writes.end();
    await writes.end();

    expect(needed).toEqual([64, MIB, 1, 3 * MIB, 5]);
  });

  it('end where the disk has no room, and keep what was committed', async () => {
    const writes = new Transactions(database.db, diskFor(1, []));
    const write = (name: string) =>
      writes.add(MIB, (db) => writeFile(db, fileOf(name), CONTENT)).then(() => writes.end());

    await write('a-AbCd1234.js');

    await expect(write('b-AbCd1234.js')).rejects.toThrow('the disk is full');
    expect(await listFiles(database.db)).toEqual([fileOf('a-AbCd1234.js')]);
  });

  it('delete no file that another replica serves meanwhile', async () => {
    const { db } = database;
    const listed = fileOf('a-AbCd1234.js');
    await writeFile(db, listed, CONTENT);
    await touchFile(db, listed.path, 2);

    await deleteFile(db, listed);

    expect(await listFiles(db)).toEqual([fileOf('a-AbCd1234.js', 2)]);
  });
});
