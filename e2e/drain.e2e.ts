import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { send } from './fixtures/console-pages.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';
import { UNUSED_PORT } from './fixtures/ports.ts';
import { test } from './fixtures/test.ts';

/**
 * The command `drain` on the data directory of a process that has ended, as after scaling down. drain.spec.ts has more
 * ends.
 */

/** Short pauses after failures, and a backlog that is not paced like that of an outage. */
const QUICK = { ERRATA_BACKOFF_MIN: '20ms', ERRATA_BACKOFF_MAX: '100ms', ERRATA_OUTAGE_AFTER: '1h' };
/** A database that is away. */
const NO_DATABASE = { DATABASE_URL: `postgres://errata:s3cret@127.0.0.1:${UNUSED_PORT}/errata` };
const AT_ONCE = 50;

const upstream = new FakeUpstream();
let folder: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'errata-drain-'));
  await upstream.up();
  await upstream.down();
});

test.afterEach(async () => {
  await upstream.down();
  upstream.arrived.length = 0;
});

test.afterAll(() => rmSync(folder, { recursive: true }));

/** Sends errors and ends the process with SIGTERM. Returns the event IDs. */
async function leaveErrors(errata: ErrataProcess, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, newEventId);
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const some = ids.slice(sent, sent + AT_ONCE);
    await Promise.all(some.map((id) => send(errata, errorEnvelope(upstream.dsn, id))));
  }
  expect(await errata.signal('SIGTERM')).toBe(0);
  return ids.toSorted();
}

function arrivedIds(): readonly string[] {
  return upstream.arrived.map(({ eventId }) => eventId ?? 'none').toSorted();
}

test.describe('with 1,000 queued envelopes', () => {
  let errata: ErrataProcess;

  test.beforeAll(async () => {
    const environment = { SENTRY_DSN: upstream.dsn, ...QUICK };
    errata = await new ErrataProcess({ environment }).start();
  });

  test.afterAll(() => errata.stop());

  test('a spool that another process uses: exit 2 with one line, and the other process goes on', async () => {
    const { code, stdout, stderr } = await errata.command(['drain']).ended;

    const line = new RegExp(
      `^ERRATA_DATA_DIR: ${errata.dataDir} is in use by another process, .*; stop it.*\n$`,
    );
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(line)]);
    expect((await fetch(`${errata.managementUrl}/readyz`)).status).toBe(200);
  });

  test('each is delivered once without a listener, and a second drain finds none', async () => {
    const ids = await leaveErrors(errata, 1_000);
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
});

test.describe('with three envelopes that upstream and store miss', () => {
  const original = (): string => join(folder, 'original');
  let ids: readonly string[];
  let errata: ErrataProcess;

  test.beforeAll(async () => {
    const environment = { SENTRY_DSN: upstream.dsn, ...QUICK, ...NO_DATABASE };
    ids = await leaveErrors(await new ErrataProcess({ dataDir: original(), environment }).start(), 3);
  });

  test.beforeEach(() => {
    const dataDir = mkdtempSync(join(folder, 'copy-'));
    cpSync(original(), dataDir, { recursive: true });
    errata = new ErrataProcess({ dataDir, environment: { SENTRY_DSN: upstream.dsn, ...QUICK } });
  });

  test('a stop signal: exit 3, and the delivery in flight is counted', async () => {
    const server = createServer().listen(Number(new URL(upstream.dsn).port), '127.0.0.1');
    const { child, ended } = errata.command(['drain']);
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => void (log += chunk.toString()));

    const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    // Others that are in flight fail, and stay.
    server.on('request', (_, other: ServerResponse) => other.destroy());
    await once(request.resume(), 'end');
    child.kill('SIGTERM');
    while (!log.includes('"stopping"')) await once(child.stderr ?? child, 'data');
    response.end('{}');

    expect(await ended).toMatchObject({ code: 3, stdout: 'delivered 1, left 2\n' });
    server.close();
  });

  test('a database that is away: exit 3, and the next drain sends nothing to the upstream again', async () => {
    await upstream.up();

    const { child, ended } = errata.command(['drain'], NO_DATABASE);
    await upstream.until((arrived) => arrived.length === ids.length);
    child.kill('SIGTERM');
    const without = await ended;
    const withStore = await errata.command(['drain']).ended;

    expect(without).toMatchObject({ code: 3, stdout: 'delivered 0, left 3\n' });
    expect(withStore).toMatchObject({ code: 0, stdout: 'delivered 3, left 0\n' });
    expect(arrivedIds()).toEqual(ids);
  });
});

test('an unknown command: exit 1 with one line', async () => {
  const line = 'drian: no such command; run it with drain, or without a command to start Errata\n';

  expect(await new ErrataProcess().command(['drian']).ended).toEqual({ code: 1, stdout: '', stderr: line });
});
