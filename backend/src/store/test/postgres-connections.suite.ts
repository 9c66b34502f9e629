import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { openPostgres } from '../db/postgres/open-postgres.ts';
import { PooledDriver } from '../db/postgres/pooled-driver.ts';
import type { Database } from '../db/schema.ts';
import type { PostgresPackage } from './postgres-server.fixture.ts';
import { createSharedDatabase } from './shared-postgres.fixture.ts';

const SETTINGS = `select where set_config('synchronous_commit', 'local', true) is null`;
const SHOW = 'show synchronous_commit';

async function sessionOf(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
}

/** Returns the sessions of two connections that are in use at the same time. */
function twoSessions(db: Database): Promise<readonly number[]> {
  return db.transaction().execute(async (trx) => [await sessionOf(trx), await sessionOf(db)]);
}

/** How the store must use its connections. */
export function describeConnections(postgres: PostgresPackage): void {
  describe('connections', () => {
    let url: string;
    let db: Database;
    beforeAll(async () => {
      url = await createSharedDatabase(postgres, 'connections');
      ({ db } = openPostgres(url));
    });
    afterAll(() => db.destroy());

    it('have the settings in each statement and transaction, and leave the session to others as it was', async () => {
      const pool = new pg.Pool({ connectionString: url, max: 1 });
      const driver = new PooledDriver(pool, SETTINGS);
      const run = async (inTransaction: boolean): Promise<unknown> => {
        const connection = await driver.acquireConnection();
        if (inTransaction) await driver.beginTransaction(connection);
        const { rows } = await connection.executeQuery(CompiledQuery.raw(SHOW));
        if (inTransaction) await driver.commitTransaction(connection);
        await driver.releaseConnection(connection);
        return rows;
      };
      const before = (await pool.query(SHOW)).rows;

      const seen = [await run(false), await run(true), await run(false)];
      const after = (await pool.query(SHOW)).rows;

      await driver.destroy();
      const local = [{ synchronous_commit: 'local' }];
      expect(seen).toEqual([local, local, local]);
      expect(before).not.toEqual(local);
      expect(after).toEqual(before);
    });

    it.each([
      ['are all replaced after 25006, of a server that is read-only now', '25006', 0],
      ['are all replaced after 57P01, of a server that stops', '57P01', 0],
      ['are all replaced after 08006, of a broken connection', '08006', 0],
      ['stay after 23505, of a row that exists', '23505', 2],
      ['stay after 57014, of a statement that took too long', '57014', 2],
    ])('%s', async (_name, state, expected) => {
      const before = await twoSessions(db);

      const raised = sql.raw(`do $$ begin raise sqlstate '${state}'; end $$`).execute(db);
      await expect(raised).rejects.toMatchObject({ code: state });

      const after = await twoSessions(db);
      expect(after.filter((session) => before.includes(session))).toHaveLength(expected);
    });

    it('end with a statement that gets no answer', async () => {
      const pool = new pg.Pool({ connectionString: url, query_timeout: 1 });
      const driver = new PooledDriver(pool, SETTINGS);
      const connection = await driver.acquireConnection();

      const asked = connection.executeQuery(CompiledQuery.raw('select pg_sleep(60)'));
      await expect(asked).rejects.toThrow('timeout');
      await driver.releaseConnection(connection);

      expect(pool.totalCount).toBe(0);
      await driver.destroy();
    });

    it.each([
      ['statements and their end', 'select 1 / 0', 'division by zero'],
      [
        'the end of its connection',
        'select pg_terminate_backend(pg_backend_pid())',
        /terminating connection/,
      ],
    ])(
      'report the first error of a transaction, before those of further %s',
      async (_name, statement, first) => {
        let second: unknown;

        const ended = db.transaction().execute(async (trx) => {
          await expect(sql.raw(statement).execute(trx)).rejects.toThrow(first);
          second = await sql`select 1`.execute(trx).catch((error: unknown) => error);
          throw second as Error;
        });

        await expect(ended).rejects.toThrow(first);
        expect(second).toMatchObject({ message: expect.stringMatching(first) as unknown });
      },
    );

    it('do not commit a transaction that ignored an error', async () => {
      const ended = db.transaction().execute((trx) => sql`select 1 / 0`.execute(trx).catch(() => 'ignored'));

      await expect(ended).rejects.toThrow('rolled back');
    });
  });
}
