import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import type { Environment } from '../config/config.ts';
import { openSpool } from '../spool/spool.fixture.ts';
import { createSharedDatabase } from '../store/test/shared-postgres.fixture.ts';
import { start } from './start.ts';

/** Starts that fail. e2e/start.e2e.ts has the process with its exit code. */

/** It has no service, and only root may listen on it. */
const UNUSED_PORT = 4;

let folder: string;
let taken: Server;

beforeAll(async () => {
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
});

afterAll(() => taken.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errata-start-'));
  mkdirSync(join(folder, 'client'));
  for (const page of ['error.html', '404.html', 'index.html'])
    writeFileSync(join(folder, 'client', page), '<style></style>');
});

afterEach(() => rmSync(folder, { recursive: true }));

const takenPort = (): string => String((taken.address() as AddressInfo).port);

/** Starts with free ports and a data directory and a client in the folder. Returns the exit code and the printed lines. */
async function startWith(changes: Environment): Promise<readonly [number | undefined, readonly string[]]> {
  const [stdout, stderr] = [new PassThrough().resume(), new PassThrough()];
  const defaults = {
    PORT: '0',
    MANAGEMENT_PORT: '0',
    ERRATA_DATA_DIR: join(folder, 'data'),
    ERRATA_CLIENT_DIR: join(folder, 'client'),
  };

  const code = await start({ ...defaults, ...changes }, { stdout, stderr });

  const printed = await text(stderr.end());
  return [code, printed.replaceAll(folder, 'FOLDER').replaceAll(`:${takenPort()} `, ':TAKEN ').split('\n')];
}

/** Writes a file below the folder and returns its path. */
function write(path: string, content = ''): string {
  const file = join(folder, path);
  writeFileSync(file, content);
  return file;
}

/** Creates the store's file with other tables, in a data directory of its own. */
function writeStore(sql: string): Environment {
  mkdirSync(join(folder, 'data'));
  const database = new DatabaseSync(join(folder, 'data', 'store.db'));
  database.exec(sql);
  database.close();
  return {};
}

/** Creates a FIFO in the data directory, which waits for its other end when it is opened, or a folder. */
function writeInstead(command: 'mkfifo' | 'mkdir', name: string): Environment {
  mkdirSync(join(folder, 'data'));
  execFileSync(command, [join(folder, 'data', name)]);
  return { SENTRY_DSN: `http://key@127.0.0.1:${UNUSED_PORT}/1` };
}

/** In the form of Kysely, which migrates the store. */
const OTHER_VERSION = `
  create table kysely_migration (name varchar(255) primary key not null, timestamp varchar(255) not null);
  insert into kysely_migration values ('999-planted', '2026-01-01T00:00:00.000Z');
`;

/** By the fault: the settings, and the line with `FOLDER` for the folder and `TAKEN` for the port in use. */
const FAULTS: readonly (readonly [fault: string, prepare: () => Environment, line: unknown])[] = [
  [
    'a database that refuses connections',
    () => ({ DATABASE_URL: `postgres://errata:s3cret@127.0.0.1:${UNUSED_PORT}/errata` }),
    `DATABASE_URL: cannot connect to 127.0.0.1:${UNUSED_PORT} (ECONNREFUSED)`,
  ],
  [
    'a database URL of another kind',
    () => ({ DATABASE_URL: 'mysql://errata:s3cret@127.0.0.1/errata' }),
    expect.stringMatching(/^DATABASE_URL: expected a connection string such as postgres:(?!.*s3cret)/),
  ],
  [
    'a store of another version',
    () => ({ ...writeStore(OTHER_VERSION), SENTRY_DSN: `http://key@127.0.0.1:${UNUSED_PORT}/1` }),
    expect.stringMatching(
      /^ERRATA_DATA_DIR: cannot open FOLDER\/data\/store\.db \(another version of Errata made it: its schema is 999-planted, this version has \d{3}-[a-z-]+\)$/,
    ),
  ],
  [
    'a store that another program has made',
    () => writeStore('create table customer (name text)'),
    'ERRATA_DATA_DIR: cannot open FOLDER/data/store.db (another program made it: it has the table customer)',
  ],
  [
    'a replica without a shared database',
    () => ({ ERRATA_REPLICA: '1' }),
    'ERRATA_REPLICA: replica 1 needs DATABASE_URL, so that replicas share one store; set it, or run one replica',
  ],
  [
    'a client folder that is missing',
    () => ({ ERRATA_CLIENT_DIR: join(folder, 'missing') }),
    'ERRATA_CLIENT_DIR: FOLDER/missing does not exist',
  ],
  [
    'routes without a client',
    () => ({ ERRATA_CLIENT_DIR: '', ERRATA_CLIENT_ROUTES: 'spa' }),
    'ERRATA_CLIENT_ROUTES: the pages of which client? Set ERRATA_CLIENT_DIR, too',
  ],
  [
    'a client whose routes.json is broken',
    () => ({ ERRATA_CLIENT_DIR: dirname(write('client/routes.json', '{"routes": [')) }),
    'ERRATA_CLIENT_DIR: FOLDER/client/routes.json, line 1, column 13: expected valid JSON',
  ],
  [
    'a forbidden webhook address',
    () => ({ ERRATA_ALERTS: 'http://10.0.0.7/hook' }),
    expect.stringMatching(/^ERRATA_ALERTS: target 1: expected https and a public address/),
  ],
  [
    'a host that is not this machine',
    () => ({ HOST: '192.0.2.1' }),
    'HOST: address 192.0.2.1 is not available here',
  ],
  [
    'a host that cannot be resolved',
    // An empty label: no resolver is asked, which could be slow, or have an answer for every name.
    () => ({ HOST: 'errata..test' }),
    'HOST: errata..test cannot be resolved (ENOTFOUND)',
  ],
  ...['PORT', 'MANAGEMENT_PORT', 'ERRATA_GATEWAY_PORT'].map((key) => {
    const settings = (): Environment => ({ [key]: takenPort() });
    return [`a taken ${key}`, settings, `${key}: 127.0.0.1:TAKEN is already in use`] as const;
  }),
  [
    'a data directory that is a file',
    () => ({ ERRATA_DATA_DIR: write('file') }),
    'ERRATA_DATA_DIR: FOLDER/file is not a directory',
  ],
  ...['spool.db', 'spool.lock', 'store.db'].map(
    (name) =>
      [
        `a FIFO as ${name}`,
        () => writeInstead('mkfifo', name),
        `ERRATA_DATA_DIR: FOLDER/data/${name} is a FIFO; move it away and start again`,
      ] as const,
  ),
  ...['spool.db', 'store.db', 'store.db-wal'].map(
    (name) =>
      [
        `a folder as ${name}`,
        () => writeInstead('mkdir', name),
        `ERRATA_DATA_DIR: FOLDER/data/${name} is not a file; move it away and start again`,
      ] as const,
  ),
  [
    'a data directory inside a file',
    () => ({ ERRATA_DATA_DIR: join(write('file'), 'inside') }),
    'ERRATA_DATA_DIR: FOLDER/file/inside is not a directory',
  ],
];

describe('a start that fails', () => {
  it.each(FAULTS)('prints one line with the setting: %s', async (_, prepare, line) => {
    expect(await startWith(prepare())).toEqual([1, [line, '']]);
  });

  it('prints one line for each invalid setting', async () => {
    const settings = {
      PORT: 'eighty',
      ERRATA_DEMO: 'maybe',
      ERRATA_TUNEL_PATH: '/t',
      SENTRY_DSN: 'https://nowhere',
    };

    const [code, lines] = await startWith(settings);

    expect(code).toBe(1);
    expect(lines.toSorted()).toEqual([
      '',
      'ERRATA_DEMO: expected on or off, got "maybe"',
      expect.stringMatching(/^ERRATA_TUNEL_PATH: no such setting/),
      'PORT: expected a port number from 0 to 65535, got "eighty"',
      expect.stringMatching(/^SENTRY_DSN: expected a DSN such as/),
    ]);
  });

  it('prints one line for a spool that is in use', async () => {
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const spool = await openSpool(dataDir);

    expect(await startWith({})).toEqual([
      1,
      [expect.stringMatching(/^ERRATA_DATA_DIR: FOLDER\/data is in use by .* SENTRY_DSN/), ''],
    ]);
    await spool.close();
  });

  it('leaves no data directory if the client is missing', async () => {
    await startWith({ ERRATA_CLIENT_DIR: join(folder, 'missing') });

    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it.each([
    ['a port that is in use', () => ({ PORT: takenPort() })],
    ['a store of another version', () => writeStore(OTHER_VERSION)],
  ])('leaves the data directory to the next start after %s', async (_, prepare) => {
    await startWith(prepare());

    await expect(openSpool(join(folder, 'data')).then((spool) => spool.close())).resolves.toBeUndefined();
  });
});

/** By the fault: options of the database, statements in it, and the words in the line. */
const DATABASES: readonly (readonly [fault: string, options: string, statement: string, words: string])[] = [
  [
    'an encoding without most characters',
    `encoding 'LATIN1' locale 'C' template template0`,
    '',
    'its encoding is LATIN1, expected UTF8',
  ],
  [
    'no encoding',
    `encoding 'SQL_ASCII' locale 'C' template template0`,
    '',
    'its encoding is SQL_ASCII, expected UTF8',
  ],
  ['a role that may not create tables', '', '', 'permission denied for schema public'],
  [
    'a role that may not use the schema',
    '',
    'revoke usage on schema public from public',
    'no schema has been selected to create in: its search_path is "$user", public',
  ],
  [
    'a database that is read-only',
    'owner starter',
    'alter database start set default_transaction_read_only = on',
    'cannot execute CREATE TABLE in a read-only transaction',
  ],
  [
    'a password that is wrong',
    '',
    `alter role starter password 'other'`,
    'password authentication failed for user "starter"',
  ],
];

describe('a start with a PostgreSQL that cannot store', () => {
  let admin: string;
  beforeAll(async () => {
    admin = await createSharedDatabase('embedded-postgres', 'start_admin');
  });

  const asked = async (url: string, ...statements: readonly string[]): Promise<void> => {
    const client = new pg.Client(url);
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };

  it.each(DATABASES)(
    'prints one line with the words of the server: %s',
    async (_, options, statement, words) => {
      const own = Object.assign(new URL(admin), { pathname: '/start' });
      await asked(admin, `create role starter login password 's3cret'`, `create database start ${options}`);
      await asked(own.href, statement);
      Object.assign(own, { username: 'starter', password: 's3cret' });

      const started = await startWith({ DATABASE_URL: own.href });

      await asked(admin, 'drop database start with (force)', 'drop role starter');
      expect(started).toEqual([
        1,
        [`DATABASE_URL: cannot use the database at localhost:5432 (${words})`, ''],
      ]);
    },
  );
});
