import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { TypedDatabase } from '../../sqlite/typed-database.ts';
import type { SpoolLimits } from '../protocol/spool-messages.ts';
import { DiskReserve, needRoom, withRoom } from './disk-reserve.ts';
import { lockDirectory } from './lock-file.ts';
import { type RescuedSpool, rescueSpool } from './rescue-spool.ts';
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
  /** The rescue of a damaged file, or null. */
  readonly rescued: RescuedSpool | null;
}

/**
 * Locks `directory` and opens or creates its files: `spool.db`, the disk reserve, the watermark. On a full disk it
 * deletes the disk reserve and tries once more.
 *
 * @param freeBytes returns the free space of a directory's disk.
 * @param isDamaged whether an earlier thread met damage in the file.
 * @throws SpoolLocked when another process uses the directory; Error when the disk is full or not writable.
 */
export function openTables(
  directory: string,
  limits: SpoolLimits,
  freeBytes: (directory: string) => number,
  isDamaged: boolean,
): OpenTables {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(directory);
  const diskReservePath = join(directory, 'spool.reserve');
  const watermarkPath = join(directory, 'spool.watermark');
  const path = join(directory, 'spool.db');
  let rescued: RescuedSpool | null = null;
  const open = () =>
    openSpoolDatabase(
      path,
      fileBytes(limits),
      (opened) => new Tables(opened, limits, watermarkPath),
      () => (rescued = rescueSpool(path, watermarkPath)),
      isDamaged && rescued === null,
    );
  const { database, value: tables } = needRoom(directory, () =>
    withRoom(open, () => rmSync(diskReservePath, { force: true })),
  );
  const diskReserve = new DiskReserve(diskReservePath, database, () => freeBytes(directory));
  return { lock, database, tables, diskReserve, rescued };
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
