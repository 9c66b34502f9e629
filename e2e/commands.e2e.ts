import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { runTool } from '../tools/commands.fixture.ts';
import { test } from './fixtures/test.ts';
import { ask, digestsOf, send } from './fixtures/console-pages.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';

test('make doctor finds no problem in a running Errata', async () => {
  const errata = await new ErrataProcess().start();

  const { code, stdout } = await runTool('doctor.ts', {
    ERRATA_URL: errata.url,
    MANAGEMENT_PORT: new URL(errata.managementUrl).port,
    ERRATA_DATA_DIR: errata.dataDir,
  });

  expect(code).toBe(0);
  expect(stdout.match(/^ok {4}/gm)).toHaveLength(8);
  expect(stdout).not.toContain('FAIL');
  await errata.stop();
});

test('a backup of a running Errata is restored as docs/backup.md says, and a digest is found in it', async () => {
  const errata = await new ErrataProcess().start();
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
  await errata.stop();
  const restored = await new ErrataProcess({ dataDir }).start();
  const issue = await ask<{ title: string }>(restored, `/console/api/issues/${digest}`);
  expect(issue.title).toContain('before the backup');
  expect(await restored.ownDsn()).toBe(dsn);
  await restored.stop();
  rmSync(dataDir, { recursive: true });
});
