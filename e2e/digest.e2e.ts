import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { ErrataProcess, type ProcessOptions } from './fixtures/errata-process.ts';

const ROOT = join(import.meta.dirname, '..');

/** Returns the digest of the demo's server error. */
async function digestOf(errata: ErrataProcess): Promise<string | null> {
  const answer = await fetch(`${errata.url}/demo/server-error?id=1`);
  expect(answer.status).toBe(500);
  return answer.headers.get('x-errata-digest');
}

async function digestIn(options: ProcessOptions): Promise<string | null> {
  const errata = await new ErrataProcess(options).start();
  try {
    return await digestOf(errata);
  } finally {
    await errata.stop();
  }
}

test.describe('the digest of one error', () => {
  let errata: ErrataProcess;
  let here: string | null;

  test.beforeAll(async () => {
    errata = await new ErrataProcess().start();
    here = await digestOf(errata);
    expect(here).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  });

  test.afterAll(() => errata.stop());

  test('is the same after a restart, from a copy of the build without the installed packages', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'errata-copy-'));
    for (const workspace of ['backend', 'frontend']) {
      cpSync(join(ROOT, workspace, 'dist'), join(copy, workspace, 'dist'), { recursive: true });
      cpSync(join(ROOT, workspace, 'package.json'), join(copy, workspace, 'package.json'));
    }

    expect(await digestIn({ root: copy })).toBe(here);
    rmSync(copy, { recursive: true });
  });

  test('is the same with --enable-source-maps', async () => {
    expect(await digestIn({ nodeOptions: ['--enable-source-maps'] })).toBe(here);
  });
});
