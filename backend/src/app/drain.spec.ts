import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Environment } from '../config/config.ts';
import { drain } from './drain.ts';

/** Commands that are refused. e2e/drain.e2e.ts has those that deliver. */

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errata-drain-'));
});

// Fails where a command has left something in the folder.
afterEach(() => rmdirSync(folder));

/** Returns the exit code and what was printed on standard output and standard error. */
async function drainWith(
  changes: Environment,
  args: readonly string[] = [],
): Promise<readonly [code: number, stdout: string, stderr: string]> {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };

  const code = await drain({ ERRATA_DATA_DIR: folder, ...changes }, args, streams);

  return [code, await text(streams.stdout.end()), await text(streams.stderr.end())];
}

const missing = (): string => join(folder, 'missing');

const REFUSED: readonly (readonly [fault: string, args: readonly string[], line: string])[] = [
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
];

describe('a drain that cannot begin prints one line and creates nothing', () => {
  it.each(REFUSED)('for %s: 1', async (_, args, line) => {
    expect(await drainWith({}, args)).toEqual([1, '', `${line}\n`]);
  });

  it('for a wrong setting, as the start: 1', async () => {
    const line = expect.stringMatching(/^SENTRY_DSN: expected a DSN such as \S+\n$/);

    expect(await drainWith({ SENTRY_DSN: 'nonsense' })).toEqual([1, '', line]);
  });

  it.each([() => folder, missing])('for a folder without a spool, and for none: 2', async (dataDirOf) => {
    const dataDir = dataDirOf();

    expect(await drainWith({ ERRATA_DATA_DIR: dataDir })).toEqual([
      2,
      '',
      `ERRATA_DATA_DIR: ${dataDir} has no spool (spool.db); name the data directory of an earlier Errata process\n`,
    ]);
  });
});
