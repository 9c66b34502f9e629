import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { readConfig } from '../backend/src/config/config.ts';

/**
 * Copies the embedded databases while Errata runs. The store can be copied at any time. A running process holds the
 * spool exclusively, and its envelopes are on their way to the store; it is copied only when no process runs.
 */

const DATABASES = ['store.db', 'spool.db'];

/** Ends with one line, as every command does that cannot work. */
function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function dataDirectory(): string {
  try {
    return readConfig(process.env).dataDir;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

async function copy(name: string, target: string): Promise<boolean> {
  const path = join(target, name);
  try {
    const database = new DatabaseSync(join(directory, name), { readOnly: true });
    const pages = await backup(database, path);
    database.close();
    process.stdout.write(`${name}: ${pages} pages -> ${path}\n`);
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    process.stdout.write(
      name === 'spool.db'
        ? `${name}: skipped, a running Errata holds it; stop Errata to copy it too\n`
        : `${name}: not copied: ${reason}\n`,
    );
    return name === 'spool.db';
  }
}

const directory = dataDirectory();
const existing = DATABASES.filter((name) => existsSync(join(directory, name)));
if (existing.length === 0) fail(`No database in ${directory}. Set ERRATA_DATA_DIR.`);
const target = join(directory, 'backups', new Date().toISOString().replaceAll(':', '-'));
mkdirSync(target, { recursive: true, mode: 0o700 });
for (const name of existing) if (!(await copy(name, target))) process.exitCode = 1;
if (!existing.includes('store.db')) {
  process.stdout.write('store.db: none here; with DATABASE_URL, copy the store with pg_dump\n');
}
