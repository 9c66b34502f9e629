import pg from 'pg';
import { openPostgres } from '../db/postgres/open-postgres.ts';
import { migrate } from '../db/migrations/migrate.ts';
import type { PostgresPackage } from './postgres-server.fixture.ts';
import { createSharedDatabase } from './shared-postgres.fixture.ts';
import type { StoreDatabase } from '../db/schema.ts';
import type { OpenData } from './store-under-test.fixture.ts';

/**
 * One migrated database for all tests of a spec file: to create and to migrate one takes longer than most tests.
 * A test that needs an unmigrated database, or changes more than rows, creates its own.
 */
export class SharedDatabase {
  readonly #url: string;
  readonly #cleaner: pg.Client;
  readonly #deleteAll: string;
  readonly #pools: Pool[] = [];

  private constructor(url: string, cleaner: pg.Client, tables: readonly string[]) {
    this.#url = url;
    this.#cleaner = cleaner;
    this.#deleteAll = tables.map((table) => `delete from ${cleaner.escapeIdentifier(table)}`).join(';');
  }

  static async create(server: PostgresPackage, name: string): Promise<SharedDatabase> {
    const url = await createSharedDatabase(server, name);
    const database = openPostgres(url);
    await migrate(database);
    await database.db.destroy();
    const cleaner = new pg.Client(url);
    await cleaner.connect();
    // Foreign keys are not checked, so the tables need no order. A transaction that a test left open fails the next test.
    await cleaner.query(
      `set session_replication_role = replica; set lock_timeout = '10s'; create extension pg_stat_statements`,
    );
    const { rows } = await cleaner.query<{ table: string }>(
      `select tablename as table from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
    );
    return new SharedDatabase(
      url,
      cleaner,
      rows.map(({ table }) => table),
    );
  }

  /**
   * Deletes all rows, and gives the database to a test. TRUNCATE would take 90 ms, because it creates the files again.
   * Each store of a test has a pool of its own, as a replica has; the next test gets the same pools.
   */
  async lend(): Promise<OpenData> {
    await this.#cleaner.query(this.#deleteAll);
    let opened = 0;
    return () => {
      const pool = (this.#pools[opened] ??= openPool(this.#url));
      opened += 1;
      return pool.database;
    };
  }

  /** Returns the statements that the server has planned for this database. */
  async statements(): Promise<readonly string[]> {
    const { rows } = await this.#cleaner.query<{ query: string }>(
      `select distinct query from pg_stat_statements join pg_database on pg_database.oid = dbid
       where datname = current_database()`,
    );
    return rows.map(({ query }) => query);
  }

  /** Returns the statements that the server does not accept for this database, each with the reason. */
  async refused(statements: readonly string[]): Promise<readonly string[]> {
    const refused: string[] = [];
    for (const statement of statements) {
      const reason = await this.#cleaner.query(`prepare tried as ${statement}; deallocate tried`).then(
        () => null,
        (error: unknown) => String(error),
      );
      if (reason !== null) refused.push(`${reason}: ${statement}`);
    }
    return refused;
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
    await this.#cleaner.end();
  }
}

/** Connections that a closed store leaves open for the next test. */
interface Pool {
  readonly database: StoreDatabase;
  readonly end: () => Promise<void>;
}

function openPool(url: string): Pool {
  const { db, flavor } = openPostgres(url);
  const end = db.destroy.bind(db);
  db.destroy = () => Promise.resolve();
  // The database is migrated; a store that checks this needs no connection of its own.
  return { database: { db, flavor }, end };
}
