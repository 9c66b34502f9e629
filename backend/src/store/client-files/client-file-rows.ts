import type { Database } from '../db/schema.ts';

/** A stored file without its content. */
export interface ClientFileRow {
  /** Below its client. */
  readonly path: string;
  /** Bytes of the file. */
  readonly length: number;
  /** Bytes of the content as it is stored. */
  readonly size: number;
  /** Time at which a process last served it; exact to a day. */
  readonly seenMs: number;
}

/** Content of a stored file. */
export interface StoredContent {
  readonly coding: 'gzip' | 'identity';
  readonly body: Uint8Array;
}

/** Lists all files, those first that a process has served most recently. */
export async function listFiles(db: Database): Promise<readonly ClientFileRow[]> {
  return (await rowsOf(db).orderBy('seen_ms', 'desc').orderBy('path').execute()).map(fileOf);
}

/** Lists the files that no process has served since a time. */
export async function listUnserved(db: Database, sinceMs: number): Promise<readonly ClientFileRow[]> {
  return (await rowsOf(db).where('seen_ms', '<', sinceMs).execute()).map(fileOf);
}

/** Returns the content of a file; undefined where none is stored under the path. */
export function readContent(db: Database, path: string): Promise<StoredContent | undefined> {
  return db.selectFrom('client_file').select(['coding', 'body']).where('path', '=', path).executeTakeFirst();
}

/** Writes a file. Another replica may have written it meanwhile: another length is then that of an unfinished copy. */
export async function writeFile(db: Database, file: ClientFileRow, content: StoredContent): Promise<void> {
  const { path, length, size, seenMs } = file;
  const values = { coding: content.coding, length, size, seen_ms: seenMs, body: content.body };
  await db
    .insertInto('client_file')
    .values({ path, ...values })
    .onConflict((conflict) =>
      conflict.column('path').doUpdateSet(values).where('client_file.length', '!=', length),
    )
    .execute();
}

/** Writes that a file is served. */
export async function touchFile(db: Database, path: string, seenMs: number): Promise<void> {
  await db.updateTable('client_file').set({ seen_ms: seenMs }).where('path', '=', path).execute();
}

/** Deletes a file, unless a process has served it since it was listed. */
export async function deleteFile(db: Database, { path, seenMs }: ClientFileRow): Promise<void> {
  await db.deleteFrom('client_file').where('path', '=', path).where('seen_ms', '=', seenMs).execute();
}

function rowsOf(db: Database) {
  return db.selectFrom('client_file').select(['path', 'length', 'size', 'seen_ms']);
}

function fileOf({
  seen_ms: seenMs,
  ...row
}: Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]) {
  return { ...row, seenMs };
}
