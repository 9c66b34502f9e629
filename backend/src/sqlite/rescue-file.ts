import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isDamage, moveAside } from './database-file.ts';
import { type CopiedTable, copyReadable, NoRoomForCopy, writing } from './salvage.ts';

/** https://sqlite.org/fileformat2.html#the_database_header */
const MAGIC = 'SQLite format 3\0';
const HEADER = { bytes: 100, pageSize: 16, pages: 28 } as const;

/** How a rescue makes the new file. */
export interface NewFile {
  /** Opens an empty database of this path with its tables. */
  readonly create: (path: string) => DatabaseSync;
  /** Corrects the counters of the copy, before it takes the place of the damaged file. */
  readonly settle: (to: DatabaseSync, tables: readonly CopiedTable[]) => void;
}

/** A damaged file that was moved aside. */
export interface MovedFile {
  readonly movedTo: string;
  /** Tables of which rows are missing in the copy that took its place. */
  readonly incomplete: readonly CopiedTable[];
  /** Why there is no copy: no room for it, no tables, or a schema that cannot be read; null where there is one. */
  readonly problem: string | null;
}

/** Path of the copy while it is made. */
export function partOf(path: string): string {
  return `${path}.part`;
}

/**
 * Replaces a damaged file by a copy of all that can be read of it, and moves it aside. Where there is no copy, no file is left
 * at the path. A kill between two steps loses nothing: {@link completeRescue} goes on.
 *
 * @throws the error of a disk that cannot be read: it may come back, and a copy of nothing would replace a whole file.
 */
export function* rescueFile(path: string, file: NewFile): Generator<void, MovedFile> {
  let tables: readonly CopiedTable[] = [];
  let problem: string | null = null;
  const size = pad(path);
  try {
    const copied = yield* copyTo(partOf(path), path, file);
    if (copied === null) problem = 'it has no tables';
    else tables = copied;
  } catch (error) {
    if (!(error instanceof NoRoomForCopy) && !isDamage(error)) throw error;
    problem = error.message;
  } finally {
    truncateSync(path, size);
  }
  if (problem === null) {
    renameSync(partOf(path), newOf(path));
    yield;
  }
  const movedTo = moveAside(path);
  yield;
  completeRescue(path);
  const incomplete = tables.filter(({ isWhole, refused }) => !isWhole || refused > 0);
  return { movedTo, incomplete, problem };
}

/**
 * Removes the rest of an interrupted rescue, or completes it once its copy is whole; before each opening of a file. A copy that
 * is itself damaged does not replace a file, which may be sound.
 */
export function completeRescue(path: string): void {
  removeFile(partOf(path));
  if (!existsSync(newOf(path))) return;
  if (existsSync(path) || existsSync(`${path}-wal`)) {
    if (!isSound(newOf(path))) return removeFile(newOf(path));
    moveAside(path);
  }
  renameSync(newOf(path), path);
}

function removeFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}

/** Returns whether a file is an undamaged database with tables. @throws the error of a disk that cannot be read. */
export function isSound(path: string): boolean {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const [found] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {});
    return found === 'ok' && hasTables(database);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  } finally {
    database.close();
  }
}

function hasTables(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined;
}

function newOf(path: string): string {
  return `${path}.new`;
}

/** Returns null for a file without tables, which was cut off: a copy of nothing would hide the loss. */
function* copyTo(
  part: string,
  path: string,
  { create, settle }: NewFile,
): Generator<void, readonly CopiedTable[] | null> {
  const from = new DatabaseSync(path, { readOnly: true });
  let to: DatabaseSync | undefined;
  let tables: readonly CopiedTable[];
  try {
    if (!hasTables(from)) return null;
    // Readable by the owner only, as the file that it replaces.
    closeSync(openSync(part, 'a', 0o600));
    to = writing(() => create(part));
    tables = yield* copyReadable(from, to);
    const copy = to;
    writing(() => settle(copy, tables));
  } finally {
    from.close();
    to?.close();
  }
  const file = openSync(part, 'r+');
  fsyncSync(file);
  closeSync(file);
  return tables;
}

/**
 * Fills a file that is shorter than its header says with zeros: SQLite refuses it as a whole, and then only its missing pages.
 * Returns its size before.
 */
function pad(path: string): number {
  const { size } = statSync(path);
  const header = Buffer.alloc(HEADER.bytes);
  const file = openSync(path, 'r');
  readSync(file, header, 0, HEADER.bytes, 0);
  closeSync(file);
  const pages = header.readUInt32BE(HEADER.pages);
  const bytes = pages * header.readUInt16BE(HEADER.pageSize);
  if (header.subarray(0, MAGIC.length).toString('latin1') === MAGIC && bytes > size)
    truncateSync(path, bytes);
  return size;
}
