import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { readConfig } from '../backend/src/config/config.ts';

/**
 * Copies the embedded databases while Errata runs. The store is always readable; the spool belongs to the running
 * process alone, and what it holds is on its way: it is copied only when nothing runs.
 */

const { dataDir } = readConfig(process.env);
const target = join(dataDir, 'backups', new Date().toISOString().replaceAll(':', '-'));
mkdirSync(target, { recursive: true, mode: 0o700 });

async function copy(name: string): Promise<void> {
  const source = join(dataDir, name);
  if (!existsSync(source)) {
    process.stdout.write(`${name}: not there\n`);
    return;
  }
  try {
    const database = new DatabaseSync(source, { readOnly: true });
    const pages = await backup(database, join(target, name));
    database.close();
    process.stdout.write(`${name}: ${pages} pages -> ${join(target, name)}\n`);
  } catch {
    rmSync(join(target, name), { force: true });
    process.stdout.write(`${name}: left out, a running Errata holds it; stop it to copy this too\n`);
    if (name === 'store.db') process.exitCode = 1;
  }
}

await copy('store.db');
await copy('spool.db');
