import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { lockDirectory } from '../backend/src/spool/db/lock-file.ts';
import { dataDirectory, fail, messageOf, option } from './command-line.ts';
import { checkSpace, copyDatabase, sync } from './database-copy.ts';

/**
 * Copies the databases of a backup into the data directory of a stopped Errata. It must never delete a database: those that
 * it replaces are moved into a folder of the directory.
 */

const DATABASES = ['store.db', 'spool.db'];

async function restore(from: string, directory: string): Promise<void> {
  const found = DATABASES.filter((name) => existsSync(join(from, name)));
  if (found.length === 0) throw new Error(`No database in ${from}. Set FROM to a folder of make backup.`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Held until the end, so that no process starts on half of a database.
  const lock = lockDirectory(directory);
  try {
    const present = DATABASES.filter((name) => existsSync(join(directory, name)));
    if (present.length > 0 && option('FORCE') !== '1')
      throw new Error(
        `${directory} has ${present.join(' and ')}. FORCE=1 moves the store away and replaces it.`,
      );
    // The envelopes of a spool are not delivered yet; a copy of it is older than the spool itself.
    const names = found.filter((name) => name !== 'spool.db' || !present.includes(name));
    checkSpace(
      names.map((name) => join(from, name)),
      directory,
    );
    moveAway(names, directory);
    for (const name of names) {
      const pages = await copyDatabase(join(from, name), join(directory, name));
      process.stdout.write(`${name}: ${pages} pages -> ${join(directory, name)}\n`);
    }
    sync(directory);
    if (names.length < found.length)
      process.stdout.write('spool.db: not restored, the directory has its own\n');
  } finally {
    lock.close();
  }
}

/** Moves databases with their logs: a log of another database would damage the restored one. */
function moveAway(names: readonly string[], directory: string): void {
  const files = readdirSync(directory).filter((file) => names.some((name) => file.startsWith(name)));
  if (files.length === 0) return;
  const replaced = join(directory, `replaced-${new Date().toISOString().replaceAll(':', '-')}`);
  mkdirSync(replaced, { mode: 0o700 });
  for (const file of files) renameSync(join(directory, file), join(replaced, file));
  process.stdout.write(`moved ${files.join(', ')} -> ${replaced}\n`);
}

const from =
  option('FROM') ??
  fail('Set FROM to the folder of a backup, for example make restore FROM=data/backups/<time>.');
process.umask(0o077);
await restore(from, dataDirectory()).catch((error: unknown) => fail(messageOf(error)));
