import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { isDamage, isFull, sqliteCode } from './database-file.ts';

/** Rows that are read in one step. */
const STEP_ROWS = 1_000;
/** Doublings after which a step passes all ids that JavaScript counts exactly. */
const MAX_DOUBLINGS = 53;
/** A value of another type than its column, or without its parent: https://sqlite.org/rescode.html */
const REFUSED = new Set([19, 20]);

/** The disk has no room for the copy of a damaged file. */
export class NoRoomForCopy extends Error {
  override readonly name = 'NoRoomForCopy';
}

/** What was copied of one table. */
export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
  /** Rows that were read, and that the new file refused: damaged ones, and those of a lost parent. */
  readonly refused: number;
  /** Whether all of it was read. */
  readonly isWhole: boolean;
}

/** Reads rows; returns whether it read all. */
type Reader = Generator<readonly SQLInputValue[], boolean>;

interface Table {
  readonly name: string;
  /** 1 for a table WITHOUT ROWID. */
  readonly isKeyed: number;
}

/**
 * Copies the rows of a damaged database that can be read into the tables of a new one, in one transaction; a step per
 * {@link STEP_ROWS}. A row that the new tables refuse is left out. SQLite's own `.recover` is not in `node:sqlite`.
 *
 * It never reads past what the tree of a table leads to: rows below a lost interior page stay lost.
 *
 * @throws NoRoomForCopy, or the error of a disk that cannot be read.
 */
export function* copyReadable(from: DatabaseSync, to: DatabaseSync): Generator<void, readonly CopiedTable[]> {
  // Without a journal in memory a refused row would damage the new file. It has no reader before it is fsynced as a whole.
  to.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN');
  const copied: CopiedTable[] = [];
  for (const table of tablesOf(to)) copied.push(yield* copyTable(from, to, table));
  writing(() => to.exec('COMMIT'));
  return copied;
}

/** Returns `work()`. @throws NoRoomForCopy when the disk of the new file is full. */
export function writing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isFull(error) ? new NoRoomForCopy('no room for a copy', { cause: error }) : error;
  }
}

/** In the order of their creation, parents first; before them the numbers that `AUTOINCREMENT` must not give again. */
function tablesOf(database: DatabaseSync): readonly Table[] {
  const tables = database.prepare(`
    SELECT name, wr AS isKeyed FROM pragma_table_list JOIN sqlite_schema USING (name)
    WHERE pragma_table_list.type = 'table' AND (name NOT LIKE 'sqlite!_%' ESCAPE '!' OR name = 'sqlite_sequence')
    ORDER BY name <> 'sqlite_sequence', sqlite_schema.rowid`);
  return tables.all() as unknown as readonly Table[];
}

function* copyTable(
  from: DatabaseSync,
  to: DatabaseSync,
  { name, isKeyed }: Table,
): Generator<void, CopiedTable> {
  const known = new Set(columnsOf(from, name));
  const columns = columnsOf(to, name).filter((column) => known.has(column));
  if (columns.length === 0) return { name, rows: 0, refused: 0, isWhole: true };
  const list = columns.map((column) => `"${column}"`).join(', ');
  const marks = columns.map(() => '?').join(', ');
  const insert = to.prepare(`INSERT OR IGNORE INTO "${name}" (${list}) VALUES (${marks})`);
  let [reads, rows, refused] = [0, 0, 0];
  const write = (row: readonly SQLInputValue[]): void => {
    try {
      rows += Number(writing(() => insert.run(...row)).changes);
    } catch (error) {
      if (!REFUSED.has(sqliteCode(error) ?? 0)) throw error;
      refused += 1;
    }
  };
  const readers = isKeyed === 1 ? byKey(from, name, list) : byRowid(from, name, list);
  const isWhole: boolean[] = [];
  for (const reader of readers) {
    let next = reader.next();
    for (; next.done !== true; next = reader.next()) {
      write(next.value);
      if ((reads += 1) % STEP_ROWS === 0) yield;
    }
    isWhole.push(next.value);
    if (next.value) break;
  }
  return { name, rows, refused, isWhole: isWhole[0] === true };
}

function columnsOf(database: DatabaseSync, table: string): readonly string[] {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
  return columns.map(({ name }) => String(name));
}

/** Forwards until it fails, then backwards. */
function byKey(from: DatabaseSync, name: string, list: string): readonly Reader[] {
  const keys = from.prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk').all(name);
  const descending = keys.map((key) => `"${String(key['name'])}" DESC`).join(', ');
  return ['', `ORDER BY ${descending}`].map((order) =>
    untilDamage(from, `SELECT ${list} FROM "${name}" NOT INDEXED ${order}`),
  );
}

/**
 * Past each damaged place by the ids of the rows; then backwards, as an id that is damaged and too large hides all rows behind
 * it; then by unique indexes that have all the columns.
 */
function byRowid(from: DatabaseSync, name: string, list: string): readonly Reader[] {
  const indexes = from
    .prepare(
      `SELECT name FROM pragma_index_list(?1) AS own WHERE "unique" AND NOT partial AND NOT EXISTS (
         SELECT 1 FROM pragma_table_info(?1) WHERE pk = 0 AND name NOT IN (SELECT name FROM pragma_index_info(own.name)))`,
    )
    .all(name);
  return [
    pastDamage(from, name, list),
    backwards(from, name, list),
    ...indexes.map((index) =>
      untilDamage(from, `SELECT ${list} FROM "${name}" INDEXED BY "${String(index['name'])}"`),
    ),
  ];
}

function* untilDamage(from: DatabaseSync, sql: string): Reader {
  try {
    yield* rowsOf(prepare(from, sql));
    return true;
  } catch (error) {
    return throwUnlessDamage(error);
  }
}

/** From the last id until a damaged place, or one where the tree leads back: followed, it might never end. */
function* backwards(from: DatabaseSync, name: string, list: string): Reader {
  let last: bigint | undefined;
  try {
    for (const [id, ...values] of rowsOf(
      prepare(from, `SELECT rowid, ${list} FROM "${name}" NOT INDEXED ORDER BY rowid DESC`),
    )) {
      if (typeof id !== 'bigint' || (last !== undefined && id >= last)) return false;
      last = id;
      yield values;
    }
    return true;
  } catch (error) {
    return throwUnlessDamage(error);
  }
}

function* pastDamage(from: DatabaseSync, name: string, list: string): Reader {
  const rows = `FROM "${name}" NOT INDEXED WHERE rowid >= ? ORDER BY rowid`;
  const seek = prepare(from, `SELECT rowid ${rows} LIMIT 1`);
  let isWhole = true;
  for (let at: bigint | undefined = 0n; at !== undefined;) {
    // Zero where the tree leads back to rows before: followed, it might never end.
    let damagedRows = 0n;
    try {
      // Prepared each time: after an error, `iterate` of the same statement throws that error once more.
      const select = prepare(from, `SELECT rowid, ${list} ${rows}`);
      let isForwards = true;
      for (const [id, ...values] of rowsOf(select, at)) {
        isForwards = typeof id === 'bigint' && id >= at;
        if (!isForwards) break;
        at = (id as bigint) + 1n;
        yield values;
      }
      if (isForwards) return isWhole;
    } catch (error) {
      throwUnlessDamage(error);
      damagedRows = 1n;
    }
    isWhole = false;
    at = nextReadable(seek, at, damagedRows);
  }
  return false;
}

/** Returns the id behind a damaged place, from which on rows can be sought; undefined where none is left. */
function nextReadable(seek: StatementSync, from: bigint, damagedRows: bigint): bigint | undefined {
  const found = sought(seek, from);
  // The tree leads to the row: where reading it failed, its own bytes are damaged. `null`: there is none.
  if (found !== undefined) return found === null ? undefined : found + damagedRows;
  let low = from;
  let high = low + 1n;
  for (let doublings = 0; sought(seek, high) === undefined; doublings += 1) {
    if (doublings === MAX_DOUBLINGS) return undefined;
    low = high;
    high += 2n ** BigInt(doublings);
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (sought(seek, middle) === undefined) low = middle;
    else high = middle;
  }
  return high;
}

/** Returns the first id from this one on; null if there is none, undefined where a damaged page is in the way. */
function sought(seek: StatementSync, id: bigint): bigint | null | undefined {
  try {
    const [row] = seek.all(id) as unknown as readonly (readonly bigint[])[];
    const found = row?.[0] ?? null;
    return found !== null && found < id ? undefined : found;
  } catch (error) {
    throwUnlessDamage(error);
    return undefined;
  }
}

function prepare(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return statement;
}

function rowsOf(
  statement: StatementSync,
  ...values: readonly SQLInputValue[]
): Iterable<readonly SQLInputValue[]> {
  return statement.iterate(...values) as unknown as Iterable<readonly SQLInputValue[]>;
}

function throwUnlessDamage(error: unknown): false {
  if (!isDamage(error)) throw error;
  return false;
}
