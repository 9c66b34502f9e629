import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { falsifyLeaf, PAGE_BYTES, pageOf, zeroLeaf, zeroPage } from './damage.fixture.ts';
import { completeRescue, type MovedFile, rescueFile } from './rescue-file.ts';

const ROWS = 1_500;
const INJURIES = 60;
const SCHEMA = `
  CREATE TABLE project (id INTEGER PRIMARY KEY, dsn TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL REFERENCES project (id), size INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX entry_size ON entry (size);
  CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE word (word TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;
const TABLES = ['project', 'entry', 'body', 'word'];
const NEW_FILE = {
  create: (path: string) => {
    const database = new DatabaseSync(path);
    database.exec(SCHEMA);
    return database;
  },
  settle: () => undefined,
};

/** The end of a rescue of a file whose disk has no room. */
function noRoom(): never {
  throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
}

/** Numbers below 1 from a fixed seed (Park and Miller). */
function* randoms(): Generator<number, never> {
  for (let state = 7; ; state = (state * 48_271) % 2_147_483_647) yield state / 2_147_483_647;
}

describe('a rescue', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-rescue-'));
  const whole = join(directory, 'whole.db');
  let path: string;
  let number = 0;

  beforeAll(() => {
    const database = NEW_FILE.create(whole);
    database.exec(`
      CREATE TEMP TABLE n AS WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT ${ROWS})
        SELECT value FROM n;
      INSERT INTO project SELECT value, 'https://key@errata.invalid/' || value FROM n LIMIT 5;
      INSERT INTO entry SELECT value, 1 + value % 5, value * 7919 % 1000 FROM n;
      INSERT INTO body SELECT value, randomblob(iif(value % 50, 1500 + value % 7 * 10, 9000)) FROM n;
      INSERT INTO word SELECT 'word-' || (value * 7919), value FROM n;
      DELETE FROM entry WHERE id = ${ROWS};
    `);
    database.close();
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  beforeEach(() => {
    path = join(directory, `${(number += 1)}.db`);
    copyFileSync(whole, path);
  });

  function query<T>(file: string, sql: string): T[] {
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare(sql).all() as T[];
    database.close();
    return rows;
  }

  function rootOf(table: string): number {
    return (
      query<{ root: number }>(whole, `SELECT rootpage AS root FROM sqlite_schema WHERE name = '${table}'`)[0]
        ?.root ?? 0
    );
  }

  function rescued(steps = rescueFile(path, NEW_FILE)): MovedFile {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  /** Returns the names of the damaged files and logs beside the file. */
  function asideOf(): readonly string[] {
    return readdirSync(directory).filter((name) => name.startsWith(`${basename(path)}.unreadable-`));
  }

  function textOf(file: string, table: string): string {
    return JSON.stringify(query(file, `SELECT * FROM ${table}`));
  }

  /** Rows of each table in a file. */
  function counts(file: string): readonly number[] {
    return TABLES.map(
      (table) => query<{ rows: number }>(file, `SELECT count(*) AS rows FROM ${table}`)[0]?.rows ?? 0,
    );
  }

  /** Rescues the file, and returns the rows that each table has lost. */
  function lost(): readonly number[] {
    const { problem } = rescued();
    expect(problem).toBeNull();
    expect(query(path, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const left = counts(path);
    return counts(whole).map((rows, at) => rows - (left[at] ?? 0));
  }

  it('copies each row of a whole file as it is, and the last number that was given', () => {
    expect(lost()).toEqual([0, 0, 0, 0]);
    for (const table of [...TABLES, 'sqlite_sequence'])
      expect(textOf(path, table)).toBe(textOf(whole, table));
  });

  it('leaves out the one row whose overflow page is lost', () => {
    zeroPage(path, pageOf(path, 'overflow', 'body').page);

    expect(lost()).toEqual([0, 0, 1, 0]);
  });

  it.each(['entry', 'body'])('leaves out the rows of a lost leaf of %s', (table) => {
    const rows = zeroLeaf(path, table);

    expect(lost()).toEqual(TABLES.map((name) => (name === table ? rows : 0)));
  });

  it.each(['entry', 'body'])('keeps the rows behind a leaf of %s whose first row has a huge id', (table) => {
    const rows = falsifyLeaf(path, table);

    const all = lost();

    const at = TABLES.indexOf(table);
    expect(all[at]).toBeLessThanOrEqual(rows);
    expect(all.filter((_, other) => other !== at)).toEqual([0, 0, 0]);
    expect(query(path, `SELECT id FROM ${table} WHERE id = 16383`)).toHaveLength(1);
  });

  it('leaves out the rows of a lost leaf of a table without rowid', () => {
    const rows = zeroLeaf(path, 'word');

    expect(lost()).toEqual([0, 0, 0, rows]);
  });

  it.each(['entry_size', 'project'])('loses nothing where %s can be made from another tree', (tree) => {
    zeroPage(path, rootOf(tree), PAGE_BYTES);

    expect(lost()).toEqual([0, 0, 0, 0]);
  });

  it('leaves out the rows below a lost interior page', () => {
    zeroPage(path, pageOf(path, 'internal', 'body').page);

    const [, , bodies = 0] = lost();
    expect(bodies).toBeGreaterThan(0);
    expect(bodies).toBeLessThan(ROWS);
  });

  it('leaves out a table without its root', () => {
    zeroPage(path, rootOf('body'));

    expect(lost()).toEqual([0, 0, ROWS, 0]);
  });

  it('leaves out a row that the new file refuses', () => {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA foreign_keys = OFF; DELETE FROM project WHERE id = 3');
    database.close();

    expect(rescued().incomplete).toEqual([
      { name: 'entry', rows: ROWS - 1 - ROWS / 5, refused: ROWS / 5, isWhole: true },
    ]);
  });

  it('copies what is left of a file that was cut off, and leaves that as it was', () => {
    truncateSync(path, Math.floor(readFileSync(whole).length * 0.75) + 100);
    const before = readFileSync(path);

    const { movedTo, incomplete } = rescued();

    expect(readFileSync(movedTo).equals(before)).toBe(true);
    expect(incomplete.find(({ name }) => name === 'body')?.rows).toBeGreaterThan(ROWS / 3);
  });

  it.each([
    ['is no database', () => writeFileSync(path, 'this is no database'.repeat(500)), NEW_FILE],
    ['has lost its first page', () => zeroPage(path, 1, PAGE_BYTES), NEW_FILE],
    ['has been emptied', () => truncateSync(path), NEW_FILE],
    ['is on a full disk', () => undefined, { ...NEW_FILE, create: noRoom }],
  ])('only moves a file aside that %s', (_, damage, file) => {
    damage();
    const before = readFileSync(path);

    const { movedTo, problem } = rescued(rescueFile(path, file));

    expect(problem).not.toBeNull();
    expect(existsSync(path)).toBe(false);
    expect(readFileSync(movedTo).equals(before)).toBe(true);
  });

  it('leaves a file in its place whose disk cannot be read', () => {
    const create = (): never => {
      throw new Error('EIO');
    };

    expect(() => rescued(rescueFile(path, { ...NEW_FILE, create }))).toThrow('EIO');
    expect(readFileSync(path).equals(readFileSync(whole))).toBe(true);
  });

  it('keeps one damaged file', () => {
    writeFileSync(`${path}.unreadable-1`, '');
    writeFileSync(`${path}.unreadable-1-wal`, '');

    const { movedTo } = rescued();

    expect(asideOf()).toEqual([basename(movedTo)]);
  });

  it('loses nothing where the process is killed between two of its steps', () => {
    const { page, rows } = pageOf(whole, 'leaf', 'body');
    const [projects, entries, bodies = 0, words] = counts(whole);

    for (let steps = 0, isEnded = false; !isEnded; steps += 1) {
      for (const name of asideOf()) rmSync(join(directory, name));
      copyFileSync(whole, path);
      zeroPage(path, page);
      const rescue = rescueFile(path, NEW_FILE);
      isEnded = Array.from({ length: steps }, () => rescue.next()).some(({ done }) => done === true);
      rescue.return({ movedTo: '', incomplete: [], problem: null });
      completeRescue(path);
      if (asideOf().length === 0) rescued();

      expect(counts(path)).toEqual([projects, entries, bodies - rows, words]);
      expect(readdirSync(directory).filter((name) => name.startsWith(`${basename(path)}.part`))).toEqual([]);
    }
  });

  it.each([
    ['is damaged', () => zeroLeaf(`${path}.new`, 'body')],
    ['has lost its first page', () => zeroPage(`${path}.new`, 1, PAGE_BYTES)],
    ['is no database', () => writeFileSync(`${path}.new`, 'this is no database'.repeat(500))],
    ['is empty', () => truncateSync(`${path}.new`)],
  ])('removes a copy that %s, and leaves the file in its place', (_, damage) => {
    copyFileSync(whole, `${path}.new`);
    damage();

    completeRescue(path);

    expect(readFileSync(path).equals(readFileSync(whole))).toBe(true);
    expect(existsSync(`${path}.new`)).toBe(false);
    expect(asideOf()).toEqual([]);
  });

  it('uses a copy that is all there is', () => {
    const damaged = readFileSync(path).fill(0, 0, PAGE_BYTES);
    rmSync(path);
    writeFileSync(`${path}.new`, damaged);

    completeRescue(path);

    expect(readFileSync(path).equals(damaged)).toBe(true);
  });

  it(`ends with a whole file after ${INJURIES} random injuries`, () => {
    const random = randoms();
    const pages = readFileSync(whole).length / PAGE_BYTES;
    const next = (below: number): number => Math.floor(random.next().value * below);

    for (let injury = 0; injury < INJURIES; injury += 1) {
      const bytes = readFileSync(whole);
      const at = (1 + next(pages - 1)) * PAGE_BYTES;
      const other = next(pages) * PAGE_BYTES;
      if (injury % 5 === 0) bytes.fill(0, at + next(PAGE_BYTES), at + PAGE_BYTES);
      else if (injury % 5 === 1) bytes.fill(0, at, at + PAGE_BYTES);
      else if (injury % 5 === 2)
        for (let byte = 0; byte < PAGE_BYTES; byte += 1) bytes[at + byte] = next(256);
      else if (injury % 5 === 3) bytes.set(bytes.subarray(other, other + PAGE_BYTES), at);
      else bytes.copyWithin(at, other, other + next(pages) * PAGE_BYTES);
      writeFileSync(path, bytes);

      expect(rescued().problem).toBeNull();
      expect(query(path, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      expect(query(path, 'PRAGMA foreign_key_check')).toEqual([]);
    }
  });
});
