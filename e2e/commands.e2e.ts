import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeliveryState } from '@errata/backend/contract/delivery-api.ts';
import type { IssueList } from '@errata/backend/contract/issues-api.ts';
import { expect } from '@playwright/test';
import { runTool } from '../tools/commands.fixture.ts';
import { test } from './fixtures/test.ts';
import { ask, digestsOf, seed, send } from './fixtures/console-pages.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';

/** Commands beside a running Errata, which has no data before the first. */
let errata: ErrataProcess;

test.beforeAll(async () => {
  errata = await new ErrataProcess().start();
});

test.afterAll(() => errata.stop());

test('a backup of a running Errata is restored as docs/backup.md says, and a digest is found in it', async () => {
  const dsn = await errata.ownDsn();
  await send(errata, errorEnvelope(dsn, newEventId(), 'before the backup'));
  const [digest = ''] = await digestsOf(errata, 1);

  const { code } = await runTool('backup.ts', { ERRATA_DATA_DIR: errata.dataDir });
  expect(code).toBe(0);

  const backups = join(errata.dataDir, 'backups');
  const [time = ''] = readdirSync(backups);
  const dataDir = mkdtempSync(join(tmpdir(), 'errata-restored-'));
  const from = join(backups, time);
  const restoring = await runTool('restore.ts', { ERRATA_DATA_DIR: dataDir, FROM: from });
  expect(restoring.code).toBe(0);
  const restored = await new ErrataProcess({ dataDir }).start();
  const issue = await ask<{ title: string }>(restored, `/console/api/issues/${digest}`);
  expect(issue.title).toContain('before the backup');
  expect(await restored.ownDsn()).toBe(dsn);
  await restored.stop();
  rmSync(dataDir, { recursive: true });
});

test('make doctor finds no problem in a running Errata', async () => {
  const { code, stdout } = await runTool('doctor.ts', {
    ERRATA_URL: errata.url,
    MANAGEMENT_PORT: new URL(errata.managementUrl).port,
    ERRATA_DATA_DIR: errata.dataDir,
  });

  expect(code).toBe(0);
  expect(stdout.match(/^ok {4}/gm)).toHaveLength(8);
  expect(stdout).not.toContain('FAIL');
});

/** Waits until the store has all that was sent. */
async function untilStored(): Promise<void> {
  await expect
    .poll(async () => (await ask<DeliveryState>(errata, '/console/api/delivery')).sinks)
    .toContainEqual(expect.objectContaining({ name: 'store', queued: 0 }));
}

/** Events of the seed, without those of the demo's requests. */
async function countSeeded(): Promise<number> {
  const { issues } = await ask<IssueList>(errata, '/console/api/issues');
  const own = issues.filter(({ title }) => !/^CheckoutError|^TypeError: The total/.test(title));
  return own.reduce((sum, { events }) => sum + events, 0);
}

test('make seed sends data to a running Errata over HTTP, and prints three digests that are found', async () => {
  const said = await seed(errata, '1');

  expect(said).toContain('a dead letter');
  const digests = [...said.matchAll(/^ {2}(\S+) {2}.*\n {4}http\S+\/console\/e\/\1$/gm)].map(
    ([, digest]) => digest,
  );
  expect(digests).toHaveLength(3);
  const issues = await Promise.all(
    digests.map((digest) =>
      ask<{ kind: string; latest: { unmapped: string | null }; related: readonly unknown[] }>(
        errata,
        `/console/api/issues/${digest}`,
      ),
    ),
  );
  expect(issues.map(({ kind }) => kind)).toEqual(['server', 'browser', 'server']);
  expect(issues[1]?.latest.unmapped).toBeNull();
  expect(issues[2]?.related).toHaveLength(1);

  await untilStored();
  const before = await countSeeded();
  expect(before).toBeGreaterThan(150);
  await seed(errata, '1');
  await untilStored();
  expect(await countSeeded()).toBe(before);
});
