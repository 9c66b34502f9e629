import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Setup } from '@errata/backend/contract/setup-api.ts';
import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { ask } from './fixtures/console-pages.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';

test.describe('a start that fails', () => {
  test('lists every invalid setting and exits with 1', async () => {
    const errata = new ErrataProcess({
      environment: {
        PORT: 'eighty',
        ERRATA_DEMO: 'maybe',
        ERRATA_TUNEL_PATH: '/t',
        SENTRY_DSN: 'https://nowhere',
      },
    });

    const failed = await errata.tryStart();

    expect(failed?.code).toBe(1);
    expect(failed?.stderr).toContain('PORT: expected a port number from 0 to 65535, got "eighty"');
    expect(failed?.stderr).toContain('ERRATA_DEMO: expected on or off, got "maybe"');
    expect(failed?.stderr).toContain('ERRATA_TUNEL_PATH: no such setting');
    expect(failed?.stderr).toContain('SENTRY_DSN: expected a DSN such as');
    expect(failed?.stderr).not.toContain('    at ');
  });

  test('prints one line for a spool that another process uses', async () => {
    const first = await new ErrataProcess().start();
    const second = new ErrataProcess({ dataDir: first.dataDir });

    const failed = await second.tryStart();

    expect(failed?.code).toBe(1);
    expect(failed?.stderr.trim().split('\n')).toHaveLength(1);
    expect(failed?.stderr).toContain(`ERRATA_DATA_DIR: another process uses ${first.dataDir};`);
    expect(await first.stop()).toBe(0);
  });
});

test('SIGTERM ends the process with 0, and the probes report it before', async () => {
  const errata = await new ErrataProcess().start();

  const ready = await fetch(`${errata.managementUrl}/readyz`);
  const live = await fetch(`${errata.managementUrl}/livez`);
  const metrics = await (await fetch(`${errata.managementUrl}/metrics`)).text();

  expect([ready.status, live.status]).toEqual([200, 200]);
  expect(metrics).toContain('errata_spool_envelopes{fate="queued"} 0');
  expect(await errata.stop()).toBe(0);
});

test('only the owner reads the data directory, also under umask 0', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'errata-modes-'));
  const dataDir = join(parent, 'data');
  const errata = await new ErrataProcess({
    dataDir,
    launcher: ['sh', '-c', 'umask 0; exec "$@"', 'sh'],
  }).start();
  await fetch(`${errata.url}/tunnel`, {
    method: 'POST',
    body: errorEnvelope(await errata.ownDsn(), newEventId()),
  });

  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  const files = readdirSync(dataDir);
  const wrong = files.filter((name) => modeOf(join(dataDir, name)) !== '600');

  expect(modeOf(dataDir)).toBe('700');
  expect(files).toEqual(
    expect.arrayContaining(['spool.lock', 'spool.db', 'store.db', 'own-project.key', 'server.key']),
  );
  expect(wrong).toEqual([]);
  expect(await errata.stop()).toBe(0);
  rmSync(parent, { recursive: true });
});

/** Ways to lose the store, by what a start then finds in its place. */
const LOST_STORES: Readonly<Record<string, (file: string) => void>> = {
  'a store that cannot be opened': (file) => mkdirSync(file),
  'a damaged store': (file) => writeFileSync(file, 'damaged'),
  'no store': () => undefined,
};

for (const [found, replace] of Object.entries(LOST_STORES)) {
  test(`a process that finds ${found} starts with the keys of its last start`, async () => {
    const first = await new ErrataProcess().start();
    const dsn = await first.ownDsn();
    const { projects } = await ask<Setup>(first, '/console/api/setup');
    const { username: serverKey } = new URL(projects[0]?.serverDsn ?? '');
    await first.kill();
    const { dataDir } = first;
    const file = join(dataDir, 'store.db');
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    replace(file);

    const errata = await new ErrataProcess({ dataDir }).start();
    const started = await fetch(`${errata.managementUrl}/startupz`);
    const report = await fetch(`${errata.url}/tunnel`, {
      method: 'POST',
      body: errorEnvelope(dsn, newEventId()),
    });
    const ofServer = await fetch(`${errata.url}/api/1/store/?sentry_key=${serverKey}`, {
      method: 'POST',
      body: '{"message":"from a server"}',
    });

    expect(await errata.ownDsn()).toBe(dsn);
    expect(errata.records.find(({ msg }) => msg === 'started')).toHaveProperty('dsn', dsn);
    expect([started.status, report.status, ofServer.status]).toEqual([200, 200, 200]);
    expect(await errata.stop()).toBe(0);
    await first.stop();
  });
}

test('an uncaught exception is logged with a digest, reported, and ends the process with 1', async () => {
  const upstream = new FakeUpstream();
  await upstream.up();
  const directory = mkdtempSync(join(tmpdir(), 'errata-preload-'));
  const preload = join(directory, 'throw-later.mjs');
  writeFileSync(preload, "process.once('SIGUSR2', () => { throw new RangeError('out of nowhere'); });");
  chmodSync(preload, 0o644);
  const errata = new ErrataProcess({
    nodeOptions: ['--import', preload],
    environment: { SENTRY_DSN: upstream.dsn },
  });
  await errata.start();

  const code = await errata.signal('SIGUSR2');

  expect(code).toBe(1);
  const record = errata.records.find(({ msg }) => msg === 'uncaught_exception');
  expect(record).toMatchObject({ level: 'error', digest: expect.stringMatching(/^.{4}-.{4}$/) });
  await (
    await new ErrataProcess({ dataDir: errata.dataDir, environment: { SENTRY_DSN: upstream.dsn } }).start()
  ).stop();
  await upstream.until((arrived) => arrived.some(({ items }) => items.toString().includes('out of nowhere')));
  expect(upstream.arrived[0]?.items.toString()).toContain(String(record?.['digest']));
  await upstream.down();
  rmSync(directory, { recursive: true });
});
