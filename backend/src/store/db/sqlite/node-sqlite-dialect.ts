import type { DatabaseSync } from 'node:sqlite';
import {
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { NodeSqliteDatabase } from './sqlite-database.ts';

/** Kysely's SQLite dialect over `node:sqlite`, with migrations in one transaction. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: DatabaseSync;
  readonly #config: SqliteDialectConfig;

  constructor(database: DatabaseSync) {
    const config = { database: new NodeSqliteDatabase(database) };
    super(config);
    this.#database = database;
    this.#config = config;
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }

  override createDriver(): Driver {
    return new RolledBackDriver(this.#config, this.#database);
  }
}

/**
 * Runs migrations in a transaction. SQLite supports that (https://sqlite.org/lang_transaction.html), but Kysely's adapter
 * denies it: a process killed within a migration would leave half of the schema, which no later start could complete.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Rolls back only an open transaction. When the disk is full or fails, SQLite may roll back by itself
 * (https://sqlite.org/lang_transaction.html, 3). A second rollback is an error, which Kysely would throw instead of the
 * original one.
 */
class RolledBackDriver extends SqliteDriver {
  readonly #database: DatabaseSync;

  constructor(config: SqliteDialectConfig, database: DatabaseSync) {
    super(config);
    this.#database = database;
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}
