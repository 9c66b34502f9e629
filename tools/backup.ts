import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteCode } from '../backend/src/sqlite/database-file.ts';
import { isSound } from '../backend/src/sqlite/rescue-file.ts';
import { dataDirectory, fail, messageOf, option } from './command-line.ts';
import { checkSpace, copyDatabase, sync } from './database-copy.ts';

/**
 * Copies the embedded databases while Errata runs, into a folder named for the time, and deletes the oldest folders. The
 * store can be copied at any time. A running process holds the spool exclusively, and its envelopes are on their way to the
 * store; it is copied only when no process runs.
 */

const DATABASES = ['store.db', 'spool.db'];
/** Folders of complete backups. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;
const DEFAULT_KEEP = '7';
/** https://sqlite.org/rescode.html */
const SQLITE_BUSY = 5;

function keptBackups(): number {
  const text = option('KEEP') ?? DEFAULT_KEEP;
  const keep = Number(text);
  return Number.isInteger(keep) && keep > 0 ? keep : fail(`KEEP: expected a number from 1, got "${text}"`);
}

/** Copies one database, or skips the spool that a process holds. @throws Error when it cannot be copied. */
async function copy(name: string, target: string): Promise<void> {
  const path = join(target, name);
  try {
    const pages = await copyDatabase(join(directory, name), path);
    // A copy of a damaged database must not take the place of an older, whole one.
    if (!isSound(path)) throw new Error('it is damaged or empty, and older backups are kept');
    process.stdout.write(`${name}: ${pages} pages -> ${join(backups, time, name)}\n`);
  } catch (error) {
    rmSync(path, { force: true });
    if (name !== 'spool.db' || sqliteCode(error) !== SQLITE_BUSY)
      throw new Error(`${name}: not copied: ${messageOf(error)}`, { cause: error });
    process.stdout.write(`${name}: skipped, a running Errata holds it; stop Errata to copy it too\n`);
  }
}

/** Copies into a folder with another name, so that an interrupted backup is not taken for a complete one. */
async function copyAll(names: readonly string[]): Promise<void> {
  const partial = join(backups, `${time}.partial`);
  try {
    mkdirSync(partial, { recursive: true, mode: 0o700 });
    checkSpace(
      names.map((name) => join(directory, name)),
      partial,
    );
    for (const name of names) await copy(name, partial);
    sync(partial);
    renameSync(partial, join(backups, time));
    sync(backups);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    fail(messageOf(error));
  }
}

const keep = keptBackups();
const directory = dataDirectory();
const names = DATABASES.filter((name) => existsSync(join(directory, name)));
if (names.length === 0) fail(`No database in ${directory}. Set ERRATA_DATA_DIR.`);
const backups = option('DIR') ?? join(directory, 'backups');
const time = new Date().toISOString().replaceAll(':', '-');
// The copies have the same personal data as the databases.
process.umask(0o077);
await copyAll(names);
if (!names.includes('store.db')) {
  process.stdout.write('store.db: none here; with DATABASE_URL, copy the store with pg_dump\n');
}
const complete = readdirSync(backups)
  .filter((name) => NAME.test(name))
  .toSorted();
for (const name of complete.slice(0, -keep)) rmSync(join(backups, name), { recursive: true });
