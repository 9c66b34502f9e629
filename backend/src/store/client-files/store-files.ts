import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Database, DiskRoom } from '../db/schema.ts';
import { MAX_CONTENT_BYTES, MAX_ROWS, withinCap } from '../db/within-cap.ts';
import { DAY_MS } from '../../time/iso.ts';
import {
  type ClientFileRow,
  deleteFile,
  listFiles,
  listUnserved,
  touchFile,
  writeFile,
} from './client-file-rows.ts';
import { Transactions, type Write } from './transactions.ts';

/**
 * store/client-files/ keeps the files of served clients over deploys, for pages of other builds. It must never keep a page or
 * a source map: the callers list the files.
 */

/** Largest file: it is in memory beside its packed form while it is written. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Age at which the time of a file that is still served is written again. */
const TOUCH_MS = DAY_MS / 2;
/** Largest age of a file that is served: the job runs once a day and leaves times below {@link TOUCH_MS} as they are. */
const SERVED_MS = 2 * DAY_MS;
/** Names of left out files in the log. */
const MAX_EXAMPLES = 5;
/** A page without its scripts and styles is broken, one without a picture is not. */
const NEEDED = /\.(css|m?js)$/;

/** The files of a client that is served now. */
export interface ServedFolder {
  readonly root: string;
  /** Text is stored compressed. */
  readonly files: readonly { readonly path: string; readonly isText: boolean }[];
}

/** Result of {@link storeFiles}, for the log. */
export interface ClientFileCounts {
  readonly added: number;
  /** Files that were too large or exceeded the maximum of bytes. */
  readonly skipped: number;
  /** The first of them; absent where there are none. */
  readonly examples?: readonly string[];
  /** Files above the maximum number; absent where there are none. */
  readonly tooMany?: number;
  /** Why the last unreadable file could not be read, such as ENOENT; absent where all could. */
  readonly unreadable?: string;
  /** Files of other builds that were removed, the longest unserved first. */
  readonly removed: number;
  readonly files: number;
  readonly bytes: number;
}

interface ServedFile {
  readonly file: string;
  readonly path: string;
  readonly isText: boolean;
}

/** Bytes of a file in the store, and the write that it needs. */
interface Plan {
  readonly size: number;
  readonly isNew: boolean;
  readonly write?: Write;
}

/**
 * Stores the files of the served clients that are not stored yet, scripts and styles first, and removes those of other builds
 * above `maxBytes`. Ingest runs between its transactions.
 *
 * @param disk limits the writes. @throws where the disk or the file of the database is full.
 */
export async function storeFiles(
  db: Database,
  folders: readonly ServedFolder[],
  maxBytes: number,
  nowMs: number,
  disk?: DiskRoom,
): Promise<ClientFileCounts> {
  const known = new Map((await listFiles(db)).map((row) => [row.path, row]));
  const writes = new Transactions(db, disk);
  const served = new Set<string>();
  const skipped: string[] = [];
  let [added, room] = [0, maxBytes];
  let unreadable: string | undefined;
  // Without any room nothing is too large: the operator withdraws the files.
  const files = maxBytes === 0 ? [] : filesOf(folders);
  for (const file of files.slice(0, MAX_ROWS)) {
    await setImmediate();
    const plan = await planOf(file, known.get(file.path), room, nowMs).catch(String);
    if (typeof plan === 'string') unreadable = plan;
    else if (plan === null) skipped.push(file.path);
    else {
      served.add(file.path);
      room -= plan.size;
      if (plan.isNew) added += 1;
      if (plan.write !== undefined) await writes.add(plan.isNew ? plan.size : 0, plan.write);
    }
  }
  await writes.end();
  return {
    added,
    skipped: skipped.length,
    ...(skipped.length > 0 && { examples: skipped.slice(0, MAX_EXAMPLES) }),
    ...(files.length > MAX_ROWS && { tooMany: files.length - MAX_ROWS }),
    ...(await removeExcess(db, served, maxBytes, disk)),
    ...(unreadable !== undefined && { unreadable }),
  };
}

/** Deletes the files that no process has served for longer than `maxAgeMs`. */
export async function deleteUnserved(
  db: Database,
  maxAgeMs: number,
  nowMs: number,
  disk?: DiskRoom,
): Promise<void> {
  await deleteFiles(db, await listUnserved(db, nowMs - Math.max(maxAgeMs, SERVED_MS)), disk);
}

/** Returns the files of all folders in the order of writing. */
function filesOf(folders: readonly ServedFolder[]): readonly ServedFile[] {
  return folders
    .flatMap(({ root, files }) => files.map((file) => ({ ...file, file: join(root, file.path) })))
    .toSorted(byWriting);
}

/** Orders all writes of all replicas, so that two transactions never wait for each other's rows (deadlock). */
function byWriting(one: { readonly path: string }, other: { readonly path: string }): number {
  const [first, second] = [one, other].map(({ path }) => (NEEDED.test(path) ? '0' : '1') + path);
  return first === second ? 0 : (first ?? '') < (second ?? '') ? -1 : 1;
}

/** @param room bytes left in the store. @returns null for a file that is too large. @throws when it cannot be read. */
async function planOf(
  { file, path, isText }: ServedFile,
  stored: ClientFileRow | undefined,
  room: number,
  nowMs: number,
): Promise<Plan | null> {
  const status = await stat(file);
  // Opening a FIFO would never end.
  if (!status.isFile()) throw new Error(`${path} is not a regular file`);
  if (stored?.length === status.size) {
    if (stored.size > room) return null;
    const { size, seenMs } = stored;
    const isFresh = nowMs - seenMs < TOUCH_MS;
    return { size, isNew: false, ...(!isFresh && { write: (db) => touchFile(db, path, nowMs) }) };
  }
  if (room === 0 || status.size > MAX_FILE_BYTES) return null;
  const content = await readFile(file);
  const body = isText ? await promisify(gzip)(content) : content;
  const { byteLength: size } = body;
  if (size > Math.min(room, MAX_CONTENT_BYTES)) return null;
  // Of what was read: a file that is still being written has another length later, and is then stored again.
  const row = { path, length: content.byteLength, size, seenMs: nowMs };
  const coding = isText ? 'gzip' : 'identity';
  return { size, isNew: true, write: (db) => writeFile(db, row, { coding, body }) };
}

async function removeExcess(
  db: Database,
  served: ReadonlySet<string>,
  maxBytes: number,
  disk: DiskRoom | undefined,
): Promise<Pick<ClientFileCounts, 'removed' | 'files' | 'bytes'>> {
  const { true: own = [], false: others = [] } = Object.groupBy(await listFiles(db), ({ path }) =>
    served.has(path) ? 'true' : 'false',
  );
  const rows = [...own, ...others];
  const { count, bytes } = withinCap(rows, maxBytes);
  await deleteFiles(db, rows.slice(count), disk);
  return { removed: rows.length - count, files: count, bytes };
}

async function deleteFiles(
  db: Database,
  rows: readonly ClientFileRow[],
  disk: DiskRoom | undefined,
): Promise<void> {
  const writes = new Transactions(db, disk);
  for (const row of rows.toSorted(byWriting)) await writes.add(0, (to) => deleteFile(to, row));
  await writes.end();
}
