import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UNUSED_PORT } from '../e2e/fixtures/ports.ts';
import { runTool } from './commands.fixture.ts';

describe('make doctor', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-doctor-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('reports one failure when no server runs, and skips the checks that depend on it', async () => {
    const port = String(UNUSED_PORT);

    const { code, stdout, stderr } = await runTool('doctor.ts', { PORT: port, ERRATA_DATA_DIR: directory });

    expect(stdout.split('\n').slice(4)).toEqual([
      `FAIL  http://127.0.0.1:${port} refuses connections: run make start`,
      'skip  tunnel answers',
      'skip  tunnel accepts an envelope',
      'skip  spool is writable',
      '',
    ]);
    expect(stdout).not.toContain('fetch failed');
    expect([code, stderr]).toEqual([1, '']);
  });

  it('names a wrong setting in one line, which is the only failure', async () => {
    const { code, stdout } = await runTool('doctor.ts', { PORT: 'eighty' });

    const lines = stdout.split('\n');
    expect(lines.filter((line) => line.includes('PORT'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([
      'FAIL  PORT: expected a port number from 0 to 65535, got "eighty"',
    ]);
    expect(code).toBe(1);
  });

  it('reports a data directory that is a file', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');

    const { stdout } = await runTool('doctor.ts', { PORT: String(UNUSED_PORT), ERRATA_DATA_DIR: file });

    expect(stdout).toContain(`FAIL  ERRATA_DATA_DIR: ${file} is not a directory\n`);
  });

  it('reports a client folder with the line of the start, as the only failure before the application', async () => {
    const environment = {
      PORT: String(UNUSED_PORT),
      ERRATA_DATA_DIR: directory,
      ERRATA_CLIENT_DIR: directory,
    };

    const { stdout } = await runTool('doctor.ts', environment);

    const [failure] = stdout.split('\n').filter((line) => line.startsWith('FAIL'));
    expect(failure).toBe(`FAIL  ERRATA_CLIENT_DIR: ${directory}/index.html does not exist`);
  });
});
