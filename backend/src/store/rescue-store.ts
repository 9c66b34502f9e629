import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { isFull } from '../sqlite/database-file.ts';
import { type MovedFile, partOf, rescueFile } from '../sqlite/rescue-file.ts';
import type { CopiedTable } from '../sqlite/salvage.ts';
import { DELETED_EVENTS, EVENTS_OF_DELETED_ISSUES } from './db/counters.ts';
import { migrate } from './db/migrations/migrate.ts';
import { openSqlite } from './db/sqlite/open-sqlite.ts';

/** Above each limit that a store has: the copy of a file is no larger than the file. */
const MAX_BYTES = 2 ** 43;

/**
 * Replaces a damaged file by a copy of all that can be read of it. Other calls of the thread run between two of its steps: it
 * takes minutes for a store of gigabytes.
 *
 * @param signal ends it; the next opening begins it again.
 */
export async function rescueStore(file: string, signal?: AbortSignal): Promise<MovedFile> {
  const unmade = await makeTables(partOf(file));
  const steps = rescueFile(file, {
    create: (path) => {
      if (unmade !== null) throw unmade;
      return new DatabaseSync(path, { enableForeignKeyConstraints: true });
    },
    settle,
  });
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await setImmediate();
    signal?.throwIfAborted();
  }
}

/** Returns the error of a disk without room for the tables. */
async function makeTables(path: string): Promise<unknown> {
  try {
    const database = openSqlite(path, MAX_BYTES);
    try {
      await migrate(database);
    } finally {
      await database.db.destroy();
    }
    return null;
  } catch (error) {
    if (isFull(error)) return error;
    throw error;
  }
}

/**
 * Counts lost events as deleted, those of a lost issue as events of a deleted issue: a search says that they are no longer
 * stored. The triggers of the new file have made its text index.
 */
function settle(to: DatabaseSync, tables: readonly CopiedTable[]): void {
  // Else an event with that id could not be stored.
  to.exec('DELETE FROM event_ids WHERE event NOT IN (SELECT id FROM event)');
  const ofLostIssues = tables.find(({ name }) => name === 'event')?.refused ?? 0;
  to.prepare(
    'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value',
  ).run(EVENTS_OF_DELETED_ISSUES, ofLostIssues);
  to.prepare(
    `INSERT INTO counter (name, value)
     SELECT ?, (SELECT total(events) FROM issue) + value - (SELECT count(*) FROM event) FROM counter WHERE name = ?
     ON CONFLICT DO UPDATE SET value = max(value, excluded.value)`,
  ).run(DELETED_EVENTS, EVENTS_OF_DELETED_ISSUES);
}
