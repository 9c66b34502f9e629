import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { TypedDatabase } from '../../sqlite/typed-database.ts';
import type { SpoolLimits } from '../protocol/spool-messages.ts';
import { DiskReserve, needRoom, withRoom } from './disk-reserve.ts';
import { lockDirectory } from './lock-file.ts';
import { limitFile, openSpoolDatabase } from './spool-schema.ts';
import { Tables } from './tables.ts';

/** Room in the file for everything but envelope bytes: index tables, deduplication keys, ledger. */
const OWN_BYTES = 16 * 2 ** 20;

/** The open files of a spool's directory. */
export interface OpenTables {
  readonly lock: DatabaseSync;
  readonly database: TypedDatabase;
  readonly tables: Tables;
  readonly diskReserve: DiskReserve;
  /** Path to which an unreadable file was moved, or null. */
  readonly movedTo: string | null;
}

/**
 * Locks `directory` and opens or creates its files: `spool.db`, the disk reserve, the watermark. On a full disk it
 * deletes the disk reserve and tries once more.
 *
 * @param freeBytes returns the free space of a directory's disk.
 * @throws SpoolLocked when another process uses the directory; Error when the disk is full or not writable.
 */
export function openTables(
  directory: string,
  limits: SpoolLimits,
  freeBytes: (directory: string) => number,
): OpenTables {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(directory);
  const diskReservePath = join(directory, 'spool.reserve');
  const watermarkPath = join(directory, 'spool.watermark');
  let movedTo: string | null = null;
  const open = () =>
    openSpoolDatabase(
      join(directory, 'spool.db'),
      fileBytes(limits),
      (opened) => new Tables(opened, limits, watermarkPath),
      (path) => void (movedTo = path),
    );
  const { database, value: tables } = needRoom(directory, () =>
    withRoom(open, () => rmSync(diskReservePath, { force: true })),
  );
  const diskReserve = new DiskReserve(diskReservePath, database, () => freeBytes(directory));
  return { lock, database, tables, diskReserve, movedTo };
}

/** Sets other limits of the open file and of its tables. */
export function limitTables(
  { database, tables }: Pick<OpenTables, 'database' | 'tables'>,
  limits: SpoolLimits,
): void {
  limitFile(database, fileBytes(limits));
  tables.limit(limits);
}

function fileBytes({ maxBytes, deadLetters }: SpoolLimits): number {
  return maxBytes + deadLetters.maxBytes + OWN_BYTES;
}
