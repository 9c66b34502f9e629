import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
});
