import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zeroLeaf } from '../backend/src/sqlite/damage.fixture.ts';
import { runTool } from './commands.fixture.ts';

describe('make backup', () => {
  let parent: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'errata-backup-'));
  });

  afterEach(() => rmSync(parent, { recursive: true }));

  it('says in one line that there is no database, and creates no folder', async () => {
    const directory = join(parent, 'data');

    const ended = await runTool('backup.ts', { ERRATA_DATA_DIR: directory });

    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `No database in ${directory}. Set ERRATA_DATA_DIR.\n`,
    });
    expect(existsSync(directory)).toBe(false);
  });

  it('says in one line that a setting is wrong', async () => {
    const { code, stderr } = await runTool('backup.ts', { PORT: 'eighty' });

    expect(code).toBe(1);
    expect(stderr).toContain('PORT: expected a port number');
    expect(stderr).not.toContain('    at ');
  });

  it('copies the store and the spool that no process holds', async () => {
    for (const name of ['store.db', 'spool.db']) {
      const database = new DatabaseSync(join(parent, name));
      database.exec('CREATE TABLE t (v); INSERT INTO t VALUES (7)');
      database.close();
    }

    const { code } = await runTool('backup.ts', { ERRATA_DATA_DIR: parent });

    expect(code).toBe(0);
    const [time = ''] = readdirSync(join(parent, 'backups'));
    for (const name of ['store.db', 'spool.db']) {
      const copy = new DatabaseSync(join(parent, 'backups', time, name), { readOnly: true });
      expect(copy.prepare('SELECT v FROM t').get()).toEqual({ v: 7 });
      copy.close();
    }
  });

  it('keeps the newest backups of a folder, and nothing else of them', async () => {
    new DatabaseSync(join(parent, 'store.db')).exec('CREATE TABLE t (v)');
    const folder = join(parent, 'elsewhere');
    const earlier = ['2026-01-01T00-00-00.000Z', '2026-01-02T00-00-00.000Z', 'notes'];
    for (const name of earlier) mkdirSync(join(folder, name), { recursive: true });

    const { code } = await runTool('backup.ts', { ERRATA_DATA_DIR: parent, DIR: folder, KEEP: '2' });

    const left = readdirSync(folder).toSorted();
    expect(code).toBe(0);
    expect(left).toEqual([earlier[1], expect.stringMatching(/^\d{4}-.*Z$/), 'notes']);
    expect(statSync(join(folder, left[1] ?? '', 'store.db')).mode & 0o777).toBe(0o600);
  });

  it.each(['store.db', 'spool.db'])('leaves no folder behind when %s cannot be copied', async (name) => {
    writeFileSync(join(parent, name), 'no database '.repeat(1_000));

    const { code, stderr } = await runTool('backup.ts', { ERRATA_DATA_DIR: parent });

    expect(code).toBe(1);
    expect(stderr).toBe(`${name}: not copied: file is not a database\n`);
    expect(readdirSync(join(parent, 'backups'))).toEqual([]);
  });

  it.each([
    ['become damaged', (path: string) => zeroLeaf(path, 't')],
    ['been emptied', (path: string) => writeFileSync(path, '')],
  ])('keeps the older backup of a database that has %s', async (_, damage) => {
    const path = join(parent, 'store.db');
    const database = new DatabaseSync(path);
    const values = Array.from({ length: 100 }, () => '(randomblob(300))').join();
    database.exec(`CREATE TABLE t (v); INSERT INTO t VALUES ${values}`);
    database.close();
    const settings = { ERRATA_DATA_DIR: parent, KEEP: '1' };
    await runTool('backup.ts', settings);
    const older = readdirSync(join(parent, 'backups'));
    damage(path);

    const { code, stderr } = await runTool('backup.ts', settings);

    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('it is damaged or empty, and older backups are'),
    ]);
    expect(readdirSync(join(parent, 'backups'))).toEqual(older);
  });

  it('skips the spool that a process holds, and says so', async () => {
    new DatabaseSync(join(parent, 'store.db')).exec('CREATE TABLE t (v)');
    const spool = new DatabaseSync(join(parent, 'spool.db'));
    spool.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE t (v)');

    const { code, stdout } = await runTool('backup.ts', { ERRATA_DATA_DIR: parent });
    spool.close();

    expect(code).toBe(0);
    expect(stdout).toContain('spool.db: skipped, a running Errata holds it');
  });

  it('says in one line that KEEP is wrong', async () => {
    expect(await runTool('backup.ts', { ERRATA_DATA_DIR: parent, KEEP: 'all' })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'KEEP: expected a number from 1, got "all"\n',
    });
  });
});
