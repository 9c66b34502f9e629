import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  createDatabase,
  guardFolder,
  type PostgresPackage,
  type PostgresServer,
  startPostgres,
} from './postgres-server.fixture.ts';

/** Names the socket of {@link SharedPostgres} for the processes that run spec files. */
const SOCKET_VARIABLE = 'TEST_POSTGRES_SOCKET';
/** A server that is shared has no reason to do work of its own, and no chance decides when it analyzes a table. */
const SETTINGS = [
  'autovacuum=off',
  'shared_preload_libraries=pg_stat_statements',
  // It records the statements that have a plan; PREPARE accepts no other ones.
  'pg_stat_statements.track_utility=off',
];

type Answer = { readonly socket: string } | { readonly reason: string };

/**
 * Lends the PostgreSQL servers of a run of Jest to its spec files. It lives in Jest's main process, outlives each spec file,
 * and starts a server when the first file requests it: a run without such a file starts none.
 */
export class SharedPostgres {
  readonly #servers = new Map<PostgresPackage, Promise<PostgresServer>>();
  readonly #listener: Server = createServer((client) => void this.#answer(client));
  #directory = '';
  #endGuard: () => void = () => undefined;

  async open(): Promise<void> {
    this.#directory = await mkdtemp(join(tmpdir(), 'errata-shared-'));
    this.#endGuard = guardFolder(this.#directory);
    const socket = join(this.#directory, 'socket');
    this.#listener.listen(socket);
    await once(this.#listener, 'listening');
    // A killed run leaves no open handle that keeps the process.
    this.#listener.unref();
    process.env[SOCKET_VARIABLE] = socket;
  }

  async close(): Promise<void> {
    this.#listener.close();
    const started = await Promise.allSettled(this.#servers.values());
    for (const start of started) if (start.status === 'fulfilled') await start.value.remove();
    await rm(this.#directory, { recursive: true, force: true });
    this.#endGuard();
  }

  /** Answers a package's name with the server's socket, or with the reason of a failed start. */
  async #answer(client: Socket): Promise<void> {
    let answer: Answer;
    try {
      const [name] = (await once(client, 'data')) as [Buffer];
      const { socket } = await this.#started(String(name) as PostgresPackage);
      answer = { socket };
    } catch (error) {
      answer = { reason: String(error) };
    }
    client.end(JSON.stringify(answer));
  }

  #started(name: PostgresPackage): Promise<PostgresServer> {
    const server = this.#servers.get(name) ?? startPostgres(name, { settings: SETTINGS });
    this.#servers.set(name, server);
    return server;
  }
}

/** Creates an empty database on the run's server of a package, and returns its URL. */
export async function createSharedDatabase(name: PostgresPackage, database: string): Promise<string> {
  const client = connect(process.env[SOCKET_VARIABLE] ?? '');
  client.write(name);
  const answer = JSON.parse(await text(client)) as Answer;
  if ('reason' in answer) throw new Error(`${name} did not start: ${answer.reason}`);
  return createDatabase(answer.socket, database);
}
