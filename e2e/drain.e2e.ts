import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';
import { UNUSED_PORT } from './fixtures/ports.ts';
import { test } from './fixtures/test.ts';

/** The command `drain` on the data directory of a process that has ended, as after scaling down. */

/** Short pauses after failures, and a backlog that is not paced like that of an outage. */
const QUICK = { ERRATA_BACKOFF_MIN: '20ms', ERRATA_BACKOFF_MAX: '100ms', ERRATA_OUTAGE_AFTER: '1h' };
const AT_ONCE = 50;

let upstream: FakeUpstream;
let errata: ErrataProcess;

test.beforeEach(async () => {
  upstream = new FakeUpstream();
  await upstream.up();
  await upstream.down();
});

test.afterEach(async () => {
  await errata.stop();
  await upstream.down();
});

/** Starts Errata, sends errors while the upstream is down, and ends the process. Returns the event IDs. */
async function leaveErrors(count: number, changes: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const environment = { SENTRY_DSN: upstream.dsn, ...QUICK, ...changes };
  errata = await new ErrataProcess({ environment }).start();
  const ids: string[] = [];
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - ids.length) }, newEventId);
    const posts = some.map(async (id) => {
      const body = errorEnvelope(upstream.dsn, id);
      return (await fetch(`${errata.url}/tunnel`, { method: 'POST', body })).status;
    });
    expect(await Promise.all(posts)).toEqual(some.map(() => 200));
    ids.push(...some);
  }
  expect(await errata.signal('SIGTERM')).toBe(0);
  return ids.toSorted();
}

function arrivedIds(): readonly string[] {
  return upstream.arrived.map(({ eventId }) => eventId ?? 'none').toSorted();
}

test('1,000 queued envelopes are delivered once each without a listener, and a second drain finds none', async () => {
  const ids = await leaveErrors(1_000);
  await upstream.up();
  // A start would end here, because both ports are in use.
  const port = new URL(upstream.dsn).port;

  const first = await errata.command(['drain'], { PORT: port, MANAGEMENT_PORT: port }).ended;
  const second = await errata.command(['drain']).ended;

  expect(first.stdout.trimEnd().split('\n').at(-1)).toBe('delivered 1000, left 0');
  expect(first.code).toBe(0);
  expect(arrivedIds()).toEqual(ids);
  expect(second).toMatchObject({ code: 0, stdout: 'delivered 0, left 0\n' });
});

test('a spool that another process uses: exit 2 with one line, and the other process goes on', async () => {
  errata = await new ErrataProcess({ environment: QUICK }).start();

  const { code, stdout, stderr } = await errata.command(['drain']).ended;

  const line = `ERRATA_DATA_DIR: another process uses ${errata.dataDir}; stop it, or give each process a data directory of its own\n`;
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: line });
  expect((await fetch(`${errata.managementUrl}/readyz`)).status).toBe(200);
});

test('a folder without a spool: exit 2 with one line, and nothing is created', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'errata-drain-'));
  errata = new ErrataProcess({ dataDir: folder });

  for (const dataDir of [folder, join(folder, 'missing')]) {
    const { code, stderr } = await errata.command(['drain'], { ERRATA_DATA_DIR: dataDir }).ended;

    expect(code).toBe(2);
    expect(stderr).toBe(
      `ERRATA_DATA_DIR: ${dataDir} has no spool (spool.db); name the data directory of an earlier Errata process\n`,
    );
  }
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('an upstream that is down: exit 3 when the time is up, and the envelopes stay for the next drain', async () => {
  const ids = await leaveErrors(3);

  const down = await errata.command(['drain', '--timeout', '1s']).ended;
  await upstream.up();
  const up = await errata.command(['drain']).ended;

  expect(down).toMatchObject({ code: 3, stdout: 'delivered 0, left 3\n' });
  expect(up).toMatchObject({ code: 0, stdout: 'delivered 3, left 0\n' });
  expect(arrivedIds()).toEqual(ids);
});

test('a stop signal ends a drain like the end of its time', async () => {
  await leaveErrors(3);
  const { child, ended } = errata.command(['drain']);

  // The log line of the first failed delivery.
  await once(child.stderr ?? child, 'data');
  child.kill('SIGTERM');

  expect(await ended).toMatchObject({ code: 3, stdout: 'delivered 0, left 3\n' });
});

test('a delivery in flight at the stop signal is counted', async () => {
  await leaveErrors(1);
  const server = createServer().listen(Number(new URL(upstream.dsn).port), '127.0.0.1');
  const { child, ended } = errata.command(['drain']);

  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  await once(request.resume(), 'end');
  child.kill('SIGTERM');
  // The log line of the signal.
  await once(child.stderr ?? child, 'data');
  response.end('{}');

  expect(await ended).toMatchObject({ code: 0, stdout: 'delivered 1, left 0\n' });
  server.close();
});

test('envelopes that the database misses are left, and are not sent to the upstream again', async () => {
  const database = { DATABASE_URL: `postgres://errata:s3cret@127.0.0.1:${UNUSED_PORT}/errata` };
  const ids = await leaveErrors(3, database);
  await upstream.up();

  const { child, ended } = errata.command(['drain']);
  await upstream.until((arrived) => arrived.length === ids.length);
  child.kill('SIGTERM');
  const without = await ended;
  const withStore = await errata.command(['drain'], { DATABASE_URL: '' }).ended;

  expect(without).toMatchObject({ code: 3, stdout: 'delivered 0, left 3\n' });
  expect(withStore).toMatchObject({ code: 0, stdout: 'delivered 3, left 0\n' });
  expect(arrivedIds()).toEqual(ids);
});

test('envelopes for an upstream that is no longer in the settings are left at once', async () => {
  await leaveErrors(3);

  const { code, stdout } = await errata.command(['drain'], { SENTRY_DSN: '' }).ended;

  expect(code).toBe(3);
  expect(stdout).toBe('delivered 0, left 3 (3 for upstreams that are not in the settings)\n');
});

const REFUSED: Readonly<Record<string, { readonly args: readonly string[]; readonly line: string }>> = {
  'a time that is no duration': {
    args: ['drain', '--timeout', '10'],
    line: '--timeout: expected a duration such as 250ms, 30s, 15m, 12h or 7d, got "10"',
  },
  'an unknown argument': {
    args: ['drain', '/data'],
    line: "Cannot drain: Unexpected argument '/data'. This command does not take positional arguments",
  },
  'an unknown command': {
    args: ['drian'],
    line: 'drian: no such command; run it with drain, or without a command to start Errata',
  },
};

for (const [name, { args, line }] of Object.entries(REFUSED)) {
  test(`${name}: exit 1 with one line`, async () => {
    errata = new ErrataProcess();

    expect(await errata.command(args).ended).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
  });
}

test('a wrong setting: the line of the start, exit 1', async () => {
  errata = new ErrataProcess();

  const { code, stderr } = await errata.command(['drain'], { SENTRY_DSN: 'nonsense' }).ended;

  expect(code).toBe(1);
  expect(stderr).toMatch(/^SENTRY_DSN: expected a DSN such as \S+\n$/);
  expect(existsSync(join(errata.dataDir, 'spool.db'))).toBe(false);
});
