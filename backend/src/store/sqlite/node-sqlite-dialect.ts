import type { DatabaseSync } from 'node:sqlite';
import { type DialectAdapter, SqliteAdapter, SqliteDialect } from 'kysely';
import { NodeSqliteDatabase } from './sqlite-database.ts';

/** Kysely's SQLite over `node:sqlite`, with whole migrations. */
export class NodeSqliteDialect extends SqliteDialect {
  constructor(database: DatabaseSync) {
    super({ database: new NodeSqliteDatabase(database) });
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
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
