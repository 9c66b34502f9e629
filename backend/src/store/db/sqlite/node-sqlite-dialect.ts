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

/** Kysely's SQLite over `node:sqlite`, with whole migrations. */
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
 * SQLite changes its schema in transactions (https://sqlite.org/lang_transaction.html); Kysely's adapter says it does
 * not, and a kill within a migration would leave half of it, which no start could complete or begin again.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Where the disk is full or fails SQLite may have rolled back by itself (https://sqlite.org/lang_transaction.html, 3).
 * To do it again is an error of its own, which Kysely would throw in place of the one that tells what is wrong.
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
