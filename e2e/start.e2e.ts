import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Setup } from '@errata/backend/contract/setup-api.ts';
import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { ask, send } from './fixtures/console-pages.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';

let folder: string;

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'errata-start-'));
});

test.afterAll(() => rmSync(folder, { recursive: true }));

// backend/src/app/start.spec.ts has the other faults.
test('a start that fails prints one line with the setting and ends with 1', async () => {
  const [dataDir, other] = [join(folder, 'read-only'), join(folder, 'unreadable')];
  mkdirSync(dataDir);
  mkdirSync(other);
  writeFileSync(join(other, 'store.db'), '', { mode: 0o200 });
  chmodSync(dataDir, 0o555);
  // Root may read and write anywhere, unless it gives up these capabilities.
  const isRoot = process.getuid?.() === 0;
  const launcher = isRoot ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];

  const failed = await new ErrataProcess({ dataDir, launcher }).tryStart();
  const unreadable = await new ErrataProcess({ dataDir: other, launcher }).tryStart();

  expect(failed).toEqual({ code: 1, stderr: `ERRATA_DATA_DIR: ${dataDir} is not writable (EACCES)\n` });
  expect(unreadable).toEqual({
    code: 1,
    stderr: `ERRATA_DATA_DIR: ${other}/store.db is not readable and writable (EACCES)\n`,
  });
});

test.describe('a process', () => {
  let errata: ErrataProcess;
  let dsn: string;
  let serverKey: string;

  test.beforeAll(async () => {
    const launcher = ['sh', '-c', 'umask 0; exec "$@"', 'sh'];
    errata = await new ErrataProcess({ dataDir: join(folder, 'data'), launcher }).start();
    dsn = await errata.ownDsn();
    const { projects } = await ask<Setup>(errata, '/console/api/setup');
    serverKey = new URL(projects[0]?.serverDsn ?? '').username;
  });

  test.afterAll(() => errata.kill());

  test('reports its state by probes and metrics', async () => {
    const ready = await fetch(`${errata.managementUrl}/readyz`);
    const live = await fetch(`${errata.managementUrl}/livez`);
    const metrics = await (await fetch(`${errata.managementUrl}/metrics`)).text();

    expect([ready.status, live.status]).toEqual([200, 200]);
    expect(metrics).toContain('errata_spool_envelopes{fate="queued"} 0');
  });

  test('lets only the owner read the data directory, also under umask 0', async () => {
    await send(errata, errorEnvelope(dsn, newEventId()));

    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    const files = readdirSync(errata.dataDir);
    const wrong = files.filter((name) => modeOf(join(errata.dataDir, name)) !== '600');

    expect(modeOf(errata.dataDir)).toBe('700');
    expect(files).toEqual(
      expect.arrayContaining(['spool.lock', 'spool.db', 'store.db', 'own-project.key', 'server.key']),
    );
    expect(wrong).toEqual([]);
  });

  /** Ways to lose the store, by what a start then finds in its place: the content of the file, and the settings. */
  const LOST_STORES = {
    // Only root may listen on this port, and no service does.
    'a PostgreSQL that is away': ['', { DATABASE_URL: 'postgres://errata@127.0.0.1:4/errata' }],
    'a damaged store': ['damaged', {}],
    'no store': ['', {}],
  } as const;

  for (const [found, [content, environment]] of Object.entries(LOST_STORES)) {
    test(`has the keys of its last start, although it finds ${found}`, async () => {
      await errata.kill();
      const dataDir = join(folder, found);
      cpSync(errata.dataDir, dataDir, { recursive: true });
      const file = join(dataDir, 'store.db');
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
      if (content !== '') writeFileSync(file, content);

      const next = await new ErrataProcess({ dataDir, environment }).start();
      const started = await fetch(`${next.managementUrl}/startupz`);
      const report = await fetch(`${next.url}/tunnel`, {
        method: 'POST',
        body: errorEnvelope(dsn, newEventId()),
      });
      const ofServer = await fetch(`${next.url}/api/1/store/?sentry_key=${serverKey}`, {
        method: 'POST',
        body: '{"message":"from a server"}',
      });

      expect(await next.ownDsn()).toBe(dsn);
      expect(next.records.find(({ msg }) => msg === 'started')).toHaveProperty('dsn', dsn);
      expect([started.status, report.status, ofServer.status]).toEqual([200, 200, 200]);
      expect(await next.stop()).toBe(0);
    });
  }
});

test('SIGTERM makes /readyz answer 503 while requests are still accepted', async () => {
  const errata = await new ErrataProcess({ environment: { ERRATA_SHUTDOWN_DELAY: '10m' } }).start();

  process.kill(errata.pid, 'SIGTERM');

  await expect.poll(async () => (await fetch(`${errata.managementUrl}/readyz`)).status).toBe(503);
  expect((await fetch(errata.url)).status).toBe(200);
  expect((await fetch(`${errata.managementUrl}/livez`)).status).toBe(200);
  await errata.kill();
});

test('an uncaught exception is logged with a digest, reported, and ends the process with 1', async () => {
  const upstream = new FakeUpstream();
  await upstream.up();
  const preload = join(folder, 'throw-later.mjs');
  writeFileSync(preload, "process.once('SIGUSR2', () => { throw new RangeError('out of nowhere'); });");
  const nodeOptions = ['--import', preload];
  const errata = new ErrataProcess({ nodeOptions, environment: { SENTRY_DSN: upstream.dsn } });
  await errata.start();

  const code = await errata.signal('SIGUSR2');

  expect(code).toBe(1);
  const record = errata.records.find(({ msg }) => msg === 'uncaught_exception');
  expect(record).toMatchObject({ level: 'error', digest: expect.stringMatching(/^.{4}-.{4}$/) });
  await errata.start();
  await upstream.until((arrived) => arrived.some(({ items }) => items.toString().includes('out of nowhere')));
  await errata.stop();
  expect(upstream.arrived[0]?.items.toString()).toContain(String(record?.['digest']));
  await upstream.down();
});
