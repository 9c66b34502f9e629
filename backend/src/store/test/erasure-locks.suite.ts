import { sql } from 'kysely';
import { eraseEvents } from '../erasure/erase-events.ts';
import { newRule } from '../erasure-rules/erasure-rule.ts';
import { addRule } from '../erasure-rules/erasure-rules.ts';
import { migrate } from '../db/migrations/migrate.ts';
import type { Database, StoreDatabase } from '../db/schema.ts';

const NO_FIELDS = { environment: null, server: null, browser: null, tags: null };
const NO_FACTS = { person: null, host: null, path: null, ...NO_FIELDS };
const DOOMED = { id: 1, event_id: 'a1'.repeat(16), issue_id: 1, ...NO_FACTS };

/** Whether any transaction of this database waits for a lock on a table or on a row. */
export async function isOneWaiting(db: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}

/** What erasures of several replicas do to each other. */
export function describeErasureLocks(newData: () => Promise<() => StoreDatabase>): void {
  describe('concurrent erasures', () => {
    let one: Database;
    let other: Database;
    beforeEach(async () => {
      const open = await newData();
      const database = open();
      [one, other] = [database.db, open().db];
      await migrate(database);
    });
    afterEach(() => Promise.all([one.destroy(), other.destroy()]));

    /** Has the other connection do something in the middle of a transaction. @returns whether that had to wait. */
    async function during(before: string, work: () => Promise<unknown>, after: string): Promise<boolean> {
      let done: Promise<unknown> | undefined;
      const waited = await one.transaction().execute(async (trx) => {
        await sql.raw(before).execute(trx);
        const end = { isDone: false };
        done = work().then(() => (end.isDone = true));
        let isWaiting = false;
        while (!end.isDone && !isWaiting) isWaiting = await isOneWaiting(one);
        await sql.raw(after).execute(trx);
        return isWaiting;
      });
      await done;
      return waited;
    }

    it('add their rules one after the other', async () => {
      const rule = newRule({ eventId: DOOMED.event_id }, 1);

      const waited = await during(
        'lock table event, feedback in share mode',
        () => addRule(other, 'postgres', rule),
        'select 1',
      );

      expect(waited).toBe(true);
    });

    it('lock their tables in one order, so that none waits forever', async () => {
      const waited = await during(
        'lock table event in share mode',
        () => eraseEvents(other, [DOOMED]),
        'lock table feedback in share mode',
      );

      expect(waited).toBe(true);
    });
  });
}
