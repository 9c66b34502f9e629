import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { ask, digestsOf, send } from './fixtures/console-pages.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';

const TOOLS = join(import.meta.dirname, '..', 'tools');

/** Runs a command of tools/ as its make target does. @throws when it exits with another status than 0. */
async function runTool(name: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const { PATH = '' } = process.env;
  const env = { PATH, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, [join(TOOLS, name)], { env });
  return stdout;
}

test('make doctor finds no problem in a running Errata', async () => {
  const errata = await new ErrataProcess().start();

  const printed = await runTool('doctor.ts', {
    ERRATA_URL: errata.url,
    MANAGEMENT_PORT: new URL(errata.managementUrl).port,
    ERRATA_DATA_DIR: errata.dataDir,
  });

  expect(printed.match(/^ok {4}/gm)).toHaveLength(7);
  expect(printed).not.toContain('FAIL');
  await errata.stop();
});

test('a backup of a running Errata is restored as docs/backup.md says, and a digest is found in it', async () => {
  const errata = await new ErrataProcess().start();
  const dsn = await errata.ownDsn();
  await send(errata, errorEnvelope(dsn, newEventId(), 'before the backup'));
  const [digest = ''] = await digestsOf(errata, 1);

  await runTool('backup.ts', { ERRATA_DATA_DIR: errata.dataDir });

  const backups = join(errata.dataDir, 'backups');
  const [time = ''] = readdirSync(backups);
  const dataDir = mkdtempSync(join(tmpdir(), 'errata-restored-'));
  copyFileSync(join(backups, time, 'store.db'), join(dataDir, 'store.db'));
  await errata.stop();
  const restored = await new ErrataProcess({ dataDir }).start();
  const issue = await ask<{ title: string }>(restored, `/console/api/issues/${digest}`);
  expect(issue.title).toContain('before the backup');
  expect(await restored.ownDsn()).toBe(dsn);
  await restored.stop();
  rmSync(dataDir, { recursive: true });
});
