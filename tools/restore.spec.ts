import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lockDirectory } from '../backend/src/spool/db/lock-file.ts';
import { type Ended, runTool } from './commands.fixture.ts';

function write(path: string, value: string): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE t (v)');
  database.prepare('INSERT INTO t VALUES (?)').run(value);
  database.close();
}

function read(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare('SELECT v FROM t').get();
  database.close();
  return row?.['v'];
}

describe('make restore', () => {
  let parent: string;
  let from: string;
  let directory: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'errata-restore-'));
    from = join(parent, 'backup');
    directory = join(parent, 'data');
    mkdirSync(from);
    for (const name of ['store.db', 'spool.db']) write(join(from, name), `${name} of the backup`);
  });

  afterEach(() => rmSync(parent, { recursive: true }));

  function restore(changes: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return runTool('restore.ts', { ERRATA_DATA_DIR: directory, FROM: from, ...changes });
  }

  it('copies store and spool into a new directory', async () => {
    const { code } = await restore();

    expect(code).toBe(0);
    expect(read(join(directory, 'store.db'))).toBe('store.db of the backup');
    expect(read(join(directory, 'spool.db'))).toBe('spool.db of the backup');
  });

  it('changes nothing in a directory that has a database', async () => {
    mkdirSync(directory);
    write(join(directory, 'store.db'), 'present');
    const before = readFileSync(join(directory, 'store.db'));

    const { code, stderr } = await restore();

    expect([code, stderr]).toEqual([
      1,
      `${directory} has store.db. FORCE=1 moves the store away and replaces it.\n`,
    ]);
    expect(readFileSync(join(directory, 'store.db'))).toEqual(before);
    expect(existsSync(join(directory, 'spool.db'))).toBe(false);
  });

  it('moves the present store away with FORCE=1, and leaves the spool', async () => {
    mkdirSync(directory);
    for (const name of ['store.db', 'spool.db']) write(join(directory, name), 'present');

    const { code, stdout } = await restore({ FORCE: '1' });

    const [replaced = ''] = readdirSync(directory).filter((name) => name.startsWith('replaced-'));
    expect(code).toBe(0);
    expect(read(join(directory, 'store.db'))).toBe('store.db of the backup');
    expect(read(join(directory, replaced, 'store.db'))).toBe('present');
    expect(read(join(directory, 'spool.db'))).toBe('present');
    expect(stdout).toContain('spool.db: not restored');
  });

  it('changes nothing in a directory that a process uses, also with FORCE=1', async () => {
    mkdirSync(directory);
    write(join(directory, 'store.db'), 'present');
    const lock = lockDirectory(directory);

    const { code, stderr } = await restore({ FORCE: '1' });

    lock.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`${directory} is in use by another process`);
    expect(read(join(directory, 'store.db'))).toBe('present');
  });

  it.each([
    ['a folder without a database', { FROM: '/nonexistent' }, 'No database in /nonexistent.'],
    ['no folder', { FROM: '' }, 'Set FROM to the folder of a backup'],
  ])('says in one line that FROM names %s', async (_name, changes, line) => {
    const { code, stderr } = await restore(changes);

    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(line)]);
    expect(existsSync(directory)).toBe(false);
  });
});
