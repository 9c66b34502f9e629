import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Environment } from '../config/config.ts';
import { UPSTREAM_BIT } from '../sink/queued-envelope.ts';
import { newEnvelope, openSpool } from '../spool/spool.fixture.ts';
import { drain } from './drain.ts';

/** e2e/drain.e2e.ts has deliveries, signals and another process. */

/** Its port has no service, and only root may listen on it. */
const UPSTREAM = 'http://key@127.0.0.1:4/1';

let folder: string;
const dataDir = (): string => join(folder, 'data');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errata-drain-'));
  for (const name of ['client', 'data']) mkdirSync(join(folder, name));
  for (const page of ['error.html', '404.html', 'index.html'])
    writeFileSync(join(folder, 'client', page), '<style></style>');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the exit code and what was printed on standard output and standard error. */
async function drainWith(
  changes: Environment,
  args: readonly string[] = [],
): Promise<readonly [code: number, stdout: string, stderr: string]> {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const defaults = { ERRATA_DATA_DIR: dataDir(), ERRATA_CLIENT_DIR: join(folder, 'client') };

  const code = await drain({ ...defaults, ...changes }, args, streams);

  return [code, await text(streams.stdout.end()), await text(streams.stderr.end())];
}

describe('a drain that cannot begin prints one line and creates nothing', () => {
  /** Returns the exit code, what was printed, and the files in the data directory. */
  const refused = async (...options: Parameters<typeof drainWith>): Promise<readonly unknown[]> => [
    ...(await drainWith(...options)),
    readdirSync(dataDir()),
  ];

  it.each([
    [
      'a time that is no duration',
      ['--timeout', '10'],
      '--timeout: expected a duration such as 250ms, 30s, 15m, 12h or 7d, got "10"',
    ],
    [
      'an unknown argument',
      ['/data'],
      "Cannot drain: Unexpected argument '/data'. This command does not take positional arguments",
    ],
  ])('for %s: 1', async (_, args, line) => {
    expect(await refused({}, args)).toEqual([1, '', `${line}\n`, []]);
  });

  it('for a wrong setting, as the start: 1', async () => {
    const line = expect.stringMatching(/^SENTRY_DSN: expected a DSN such as \S+\n$/);

    expect(await refused({ SENTRY_DSN: 'nonsense' })).toEqual([1, '', line, []]);
  });

  it.each(['.', 'missing'])('for a folder without a spool: 2 (%s)', async (path) => {
    const directory = join(dataDir(), path);

    expect(await refused({ ERRATA_DATA_DIR: directory })).toEqual([
      2,
      '',
      `ERRATA_DATA_DIR: ${directory} has no spool (spool.db); name the data directory of an earlier Errata process\n`,
      [],
    ]);
  });
});

describe('a drain of three envelopes', () => {
  beforeEach(async () => {
    const spool = await openSpool(dataDir());
    for (const items of ['one', 'two', 'three'])
      await spool.append(newEnvelope(items, { project: UPSTREAM, pending: UPSTREAM_BIT }));
    await spool.close();
  });

  it('leaves them to the next one when the time is up: 3', async () => {
    const [code, stdout] = await drainWith({ SENTRY_DSN: UPSTREAM }, ['--timeout', '250ms']);

    const spool = await openSpool(dataDir());
    expect(await spool.ask('counts')).toMatchObject({ queued: 3 });
    expect([code, stdout]).toEqual([3, 'delivered 0, left 3\n']);
    await spool.close();
  });

  it('leaves them at once when their upstream is no longer in the settings: 3', async () => {
    const [code, stdout] = await drainWith({});

    expect([code, stdout]).toEqual([
      3,
      'delivered 0, left 3 (3 for upstreams that are not in the settings)\n',
    ]);
  });
});
