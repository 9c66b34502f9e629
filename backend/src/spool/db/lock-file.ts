import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process, or another application of this one, uses the data directory; two writers would lose each other's envelopes. */
class SpoolLocked extends Error {
  constructor(directory: string) {
    super(
      `${directory} is in use by another process, or another application of this one; stop it, or set a directory of its own` +
        ' and, for one console, SENTRY_DSN (docs/architecture.md, "Several processes")',
    );
    this.name = 'SpoolLocked';
  }
}

/**
 * Locks the data directory until this process exits or is killed.
 *
 * Node has no flock. An exclusive SQLite transaction on an empty database has the same effect: it uses fcntl locks,
 * which the kernel releases with the process. A pid file could stay behind after a kill.
 *
 * @throws SpoolLocked when another process, or another lock of this one, holds it.
 */
export function lockDirectory(directory: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    const path = join(directory, 'spool.lock');
    // SQLite would create it for all users to read, and a reader's lock keeps the owner out. Only then: a close would release
    // the locks of this process.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    lock = new DatabaseSync(path);
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    if (cause instanceof Error && /locked|busy/i.test(cause.message)) throw new SpoolLocked(directory);
    throw new Error(
      `cannot write to ${directory} (${cause instanceof Error ? cause.message : String(cause)})`,
      { cause },
    );
  }
}
