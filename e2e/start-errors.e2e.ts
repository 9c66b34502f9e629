import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from '@playwright/test';
import { ErrataProcess, type ProcessOptions } from './fixtures/errata-process.ts';
import { UNUSED_PORT } from './fixtures/ports.ts';
import { test } from './fixtures/test.ts';

/** Starts that fail: each prints one line that begins with the setting and holds its value, and exits with 1. */

test.describe.configure({ mode: 'parallel' });

async function listening(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface FailingStart {
  /** Prepares the fault below a folder of its own. */
  readonly prepare: (folder: string, taken: number) => ProcessOptions | Promise<ProcessOptions>;
  /** The line, with `FOLDER` for the folder and `TAKEN` for the port in use. */
  readonly line: string | RegExp;
}

const HIDE_NAME = join(import.meta.dirname, 'faults', 'preload', 'hide-name.ts');

const set = (environment: Readonly<Record<string, string>>): ProcessOptions => ({ environment });

/** Creates a database whose last migration is not known; in the form of Kysely, which migrates it. */
function plantMigration(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    create table kysely_migration (name varchar(255) primary key not null, timestamp varchar(255) not null);
    insert into kysely_migration values ('999-planted', '2026-01-01T00:00:00.000Z');
  `);
  database.close();
}

const FAILING_STARTS: Readonly<Record<string, FailingStart>> = {
  'a database that refuses connections': {
    prepare: () => set({ DATABASE_URL: `postgres://errata:s3cret@127.0.0.1:${UNUSED_PORT}/errata` }),
    line: `DATABASE_URL: cannot connect to 127.0.0.1:${UNUSED_PORT} (ECONNREFUSED)`,
  },
  'a store of another version': {
    prepare: (folder) => {
      plantMigration(join(folder, 'store.db'));
      return { dataDir: folder, environment: { SENTRY_DSN: `http://key@127.0.0.1:${UNUSED_PORT}/1` } };
    },
    line: /^ERRATA_DATA_DIR: cannot open FOLDER\/store\.db \(another version of Errata made it: its schema is 999-planted, this version has \d{3}-[a-z-]+\)$/,
  },
  'a store that another program has made': {
    prepare: (folder) => {
      const database = new DatabaseSync(join(folder, 'store.db'));
      database.exec('create table customer (name text)');
      database.close();
      return { dataDir: folder, environment: {} };
    },
    line: 'ERRATA_DATA_DIR: cannot open FOLDER/store.db (another program made it: it has the table customer)',
  },
  'a database URL of another kind': {
    prepare: () => set({ DATABASE_URL: 'mysql://errata:s3cret@127.0.0.1/errata' }),
    line: /^DATABASE_URL: expected a connection string such as postgres:/,
  },
  'a replica without a shared database': {
    prepare: () => set({ ERRATA_REPLICA: '1' }),
    line: 'ERRATA_REPLICA: replica 1 needs DATABASE_URL, so that replicas share one store; set it, or run one replica',
  },
  'a client folder that is missing': {
    prepare: (folder) => set({ ERRATA_CLIENT_DIR: join(folder, 'client') }),
    line: 'ERRATA_CLIENT_DIR: FOLDER/client does not exist',
  },
  'a client folder without index.html': {
    prepare: (folder) => set({ ERRATA_CLIENT_DIR: folder }),
    line: 'ERRATA_CLIENT_DIR: FOLDER/index.html does not exist',
  },
  'a client folder whose index.html is a folder': {
    prepare: (folder) => {
      mkdirSync(join(folder, 'index.html'));
      return set({ ERRATA_CLIENT_DIR: folder });
    },
    line: 'ERRATA_CLIENT_DIR: FOLDER/index.html is not a file',
  },
  'routes without a client': {
    prepare: () => set({ ERRATA_CLIENT_ROUTES: 'spa' }),
    line: 'ERRATA_CLIENT_ROUTES: the pages of which client? Set ERRATA_CLIENT_DIR, too',
  },
  'a client whose routes.json is broken': {
    prepare: (folder) => {
      writeFileSync(join(folder, 'index.html'), '<html></html>');
      writeFileSync(join(folder, 'routes.json'), '{"routes": [');
      return set({ ERRATA_CLIENT_DIR: folder });
    },
    line: 'ERRATA_CLIENT_DIR: FOLDER/routes.json, line 1, column 13: expected valid JSON',
  },
  'a client whose routes.json lists no routes': {
    prepare: (folder) => {
      writeFileSync(join(folder, 'index.html'), '<html></html>');
      writeFileSync(join(folder, 'routes.json'), '{"paths": []}');
      return set({ ERRATA_CLIENT_DIR: folder });
    },
    line: 'ERRATA_CLIENT_DIR: FOLDER/routes.json, routes: expected a list of routes',
  },
  'a host that is not this machine': {
    prepare: () => set({ HOST: '192.0.2.1' }),
    line: 'HOST: address 192.0.2.1 is not available here',
  },
  'a host that cannot be resolved': {
    // Refused by a preload: the machine's own resolver can be slow, or have an answer for every name.
    prepare: () => ({ nodeOptions: [`--import=${HIDE_NAME}`], environment: { HOST: 'upstream.test' } }),
    line: 'HOST: upstream.test cannot be resolved (ENOTFOUND)',
  },
  'a port that is taken': {
    prepare: (_, taken) => set({ PORT: String(taken) }),
    line: 'PORT: 127.0.0.1:TAKEN is already in use',
  },
  'a port that is no number': {
    prepare: () => set({ PORT: 'eighty' }),
    line: 'PORT: expected a port number from 0 to 65535, got "eighty"',
  },
  'a management port that is taken': {
    prepare: (_, taken) => set({ MANAGEMENT_PORT: String(taken) }),
    line: 'MANAGEMENT_PORT: 127.0.0.1:TAKEN is already in use',
  },
  'a data directory that is a file': {
    prepare: (folder) => {
      writeFileSync(join(folder, 'data'), '');
      return { dataDir: join(folder, 'data') };
    },
    line: 'ERRATA_DATA_DIR: FOLDER/data is not a directory',
  },
  'a data directory inside a file': {
    prepare: (folder) => {
      writeFileSync(join(folder, 'data'), '');
      return { dataDir: join(folder, 'data', 'inside') };
    },
    line: 'ERRATA_DATA_DIR: FOLDER/data/inside is not a directory',
  },
  'a data directory that is read-only': {
    prepare: (folder) => {
      const dataDir = join(folder, 'data');
      mkdirSync(dataDir);
      chmodSync(dataDir, 0o555);
      // Root may write anywhere, unless it gives up that capability.
      const isRoot = process.getuid?.() === 0;
      return { dataDir, ...(isRoot ? { launcher: ['setpriv', '--bounding-set', '-dac_override'] } : {}) };
    },
    line: 'ERRATA_DATA_DIR: FOLDER/data is not writable (EACCES)',
  },
};

let folder: string;
let taken: Server;

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'errata-start-'));
  taken = await listening();
});

test.afterEach(() => {
  taken.close();
  rmSync(folder, { recursive: true });
});

for (const [name, { prepare, line }] of Object.entries(FAILING_STARTS)) {
  test(`${name}: one line with the setting, exit code 1`, async () => {
    const { port } = taken.address() as AddressInfo;
    const options = await prepare(folder, port);

    const failed = await new ErrataProcess(options).tryStart();

    expect(failed?.code).toBe(1);
    const printed = failed?.stderr.replaceAll(folder, 'FOLDER').replaceAll(`:${port} `, ':TAKEN ') ?? '';
    expect(printed.endsWith('\n')).toBe(true);
    if (typeof line === 'string') expect(printed.trimEnd()).toBe(line);
    else expect(printed.trimEnd()).toMatch(line);
    expect(printed).not.toContain('s3cret');
  });
}

test('a client that is missing leaves no data directory', async () => {
  const dataDir = join(folder, 'data');

  await new ErrataProcess({ dataDir, environment: { ERRATA_CLIENT_DIR: join(folder, 'none') } }).tryStart();

  expect(existsSync(dataDir)).toBe(false);
});
