import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

/** Another process has the data directory; two writers would lose each other's envelopes. */
class SpoolLocked extends Error {
  constructor(directory: string) {
    super(`another process uses ${directory}; give each process a data directory of its own`);
    this.name = 'SpoolLocked';
  }
}

/**
 * Takes the data directory for this process until it ends, however it ends.
 *
 * Node has no flock; an exclusive SQLite transaction on an empty database is the same thing (fcntl locks, which
 * the kernel drops with the process), so nothing stale can be left behind, as a pid file could.
 *
 * @throws SpoolLocked when another process has it.
 */
export function lockDirectory(directory: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(directory, 'spool.lock'));
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
