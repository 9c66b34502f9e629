import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { NodeSqliteDialect } from './node-sqlite-dialect.ts';

it('tells what went wrong where SQLite has rolled back by itself', async () => {
  const db = new Kysely<object>({ dialect: new NodeSqliteDialect(new DatabaseSync(':memory:')) });

  const written = db.transaction().execute(async (trx) => {
    // What a full disk makes SQLite do.
    await sql`rollback`.execute(trx);
    throw new Error('database or disk is full');
  });

  await expect(written).rejects.toThrow('database or disk is full');
  await db.destroy();
});
