import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import { connectionError } from '../database-errors.ts';

/**
 * Answers after which no open connection is used again: the connection is broken (class 08), the server ends it (57P), or
 * the server is read-only (25006): after a fail-over the old primary still answers, and only a new connection finds the
 * new one (https://www.postgresql.org/docs/18/errcodes-appendix.html).
 */
const ENDS_CONNECTIONS = /^(?:08...|25006|57P..)$/;
/** Commands whose answer counts changed rows. */
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/**
 * Runs each statement of a pool in a transaction that begins with the store's settings.
 *
 * The settings end with the transaction. A pooler such as PgBouncer in transaction mode gives each transaction another
 * session of the server: `SET` would miss most transactions of the store, and change those of other clients.
 */
export class PooledDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #settings: string;
  /** Connections opened since the last answer of {@link ENDS_CONNECTIONS}. */
  #current = new WeakSet<pg.PoolClient>();

  /** @param settings a query that sets them for its transaction, and returns no row. */
  constructor(pool: pg.Pool, settings: string) {
    this.#pool = pool;
    this.#settings = settings;
    pool.on('connect', (client) => {
      this.#current.add(client);
      // A connection that ends while it is in use rejects its statement. Without a listener the event ends the thread, too.
      client.on('error', () => undefined);
    });
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<PooledConnection> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw connectionError(error);
    });
    if (this.#current.has(client)) return new PooledConnection(client, this.#settings);
    client.release(true);
    return this.acquireConnection();
  }

  beginTransaction(connection: PooledConnection): Promise<void> {
    return connection.begin();
  }

  commitTransaction(connection: PooledConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: PooledConnection): Promise<void> {
    return connection.rollback();
  }

  releaseConnection({ client, isLost }: PooledConnection): Promise<void> {
    if (isLost && this.#current.has(client)) this.#current = new WeakSet();
    client.release(!this.#current.has(client));
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    return this.#pool.end();
  }
}

/** A connection between its acquisition and its release. */
class PooledConnection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  /** Whether the server, or the way to it, can no longer be used. */
  isLost = false;
  readonly #settings: string;
  #isInTransaction = false;
  /** First error of the transaction. Every later one follows from it, and says less. */
  #firstError: unknown;

  constructor(client: pg.PoolClient, settings: string) {
    this.client = client;
    this.#settings = settings;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const answer = this.#isInTransaction
      ? this.client.query(sql, [...parameters])
      : queryAlone(this.client, this.#settings, { text: sql, values: [...parameters] });
    const { command, rowCount, rows } = await this.#checked(answer);
    return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  streamQuery(): never {
    throw new Error('the store streams no query');
  }

  async begin(): Promise<void> {
    await this.#checked(this.client.query(`begin; ${this.#settings}`));
    this.#isInTransaction = true;
  }

  async commit(): Promise<void> {
    const { command } = await this.#checked(this.client.query('commit'));
    // The answer to a COMMIT after an error that the transaction ignored.
    if (command === 'ROLLBACK') throw new AbortedTransactionError({ cause: this.#firstError });
    this.#isInTransaction = false;
  }

  async rollback(): Promise<void> {
    await this.#checked(this.client.query('rollback'));
    this.#isInTransaction = false;
  }

  async #checked<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      this.isLost ||= !(error instanceof pg.DatabaseError) || ENDS_CONNECTIONS.test(error.code ?? '');
      // The stack of the driver ends at its socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      if (!this.#isInTransaction) throw error;
      this.#firstError ??= error;
      throw this.#firstError;
    }
  }
}

/**
 * Runs a statement behind the settings without another round trip: all messages before one Sync are one transaction
 * (https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
 */
function queryAlone(
  client: pg.PoolClient,
  settings: string,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
  const config = { ...statement, queryMode: 'extended' };
  const query = new pg.Query(config, (error, results) => {
    // The results of both; the types know only one.
    const [, result] = [results].flat();
    if (result === undefined) reject(error ?? new Error('the server answered only the settings'));
    else resolve(result);
  });
  const submit = query.submit.bind(query);
  query.submit = (connection) => {
    connection.stream.cork();
    connection.parse({ name: '', text: settings, types: [] }, true);
    connection.bind({}, true);
    connection.execute(null, true);
    submit(connection);
    connection.stream.uncork();
  };
  client.query(query);
  return promise;
}
