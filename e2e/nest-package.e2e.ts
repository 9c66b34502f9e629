import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import type { Setup } from '@errata/backend/contract/setup-api.ts';
import { expect } from '@playwright/test';
import { WAYS } from '../frontend/src/console/setup/ways.ts';
import { packNest } from '../tools/pack.ts';
import { preload } from './faults/parts/preload.ts';
import { ask } from './fixtures/console-pages.ts';
import { ErrataProcess, type ProcessOptions, TOKEN } from './fixtures/errata-process.ts';
import { PackedApplication } from './fixtures/packed-application.ts';
import { test } from './fixtures/test.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
/** The module that the README shows, word by word. */
const README_MODULE = /^## Add it to your application$.*?^```ts$(.*?)^```$/ms.exec(README)?.[1] ?? '';

/** What a new application has: https://docs.nestjs.com/first-steps. */
const OWN = ['@types/node', '@types/express', 'typescript'];

const SHOP = `
import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { AppModule as ReadmeModule } from './readme.module.js';

@Controller()
class ShopController {
  @Post('echo')
  echo(@Body() body: unknown): unknown {
    return { body };
  }

  @Get('fail/:order')
  fail(@Param('order') order: string): never {
    throw new Error(\`the order \${order} cannot be shown\`);
  }
}

@Module({ imports: [ReadmeModule], controllers: [ShopController] })
export class AppModule {}
`;

const MAIN = `
import { NestFactory } from '@nestjs/core';
import { AppModule } from './NAME.module.js';

const application = await NestFactory.create(AppModule, { logger: ['error'] });
await application.listen(process.env['PORT'] ?? 3000, '127.0.0.1');
console.log(JSON.stringify({ msg: 'started', application: await application.getUrl() }));
`;

const SETUP_CODE = WAYS.find(({ id }) => id === 'nest')?.code;

/** A page of a process with this option promises its report at any load. */
const PATIENT = { NODE_OPTIONS: preload('patient-pages') };

let errata: ErrataProcess;
let packed: PackedApplication;
let compiled: string;

test.beforeAll(async () => {
  errata = await new ErrataProcess().start();
  const { projects, tunnel } = await ask<Setup>(errata, '/console/api/setup');
  const [{ browserDsn, serverDsn } = { browserDsn: '', serverDsn: '' }] = projects;
  packed = new PackedApplication(packNest(), 'backend', OWN);
  packed.write('src/readme.module.ts', README_MODULE);
  packed.write('src/shop.module.ts', SHOP);
  const setupCode = SETUP_CODE?.({ browserDsn, serverDsn: serverDsn ?? '', tunnel }) ?? '';
  packed.write('src/setup.module.ts', setupCode);
  for (const name of ['shop', 'setup']) packed.write(`src/${name}.ts`, MAIN.replace('NAME', name));
  compiled = packed.compile({ types: ['node'] });
});

test.afterAll(async () => {
  await errata.stop();
  packed.remove();
});

/** Returns a process of a compiled application. */
function processOf(name: string, options: ProcessOptions = {}): ErrataProcess {
  return new ErrataProcess({ main: join(packed.folder, 'dist', `${name}.js`), ...options });
}

/** Returns the number of events in the issues that the console finds by a text. */
async function countOf(host: ErrataProcess, words: string): Promise<number> {
  const { issues } = await ask<FindAnswer>(host, `/console/api/find?${new URLSearchParams({ q: words })}`);
  return issues.reduce((sum, { events }) => sum + events, 0);
}

test('the packed Nest module compiles in a strict application without skipLibCheck', () => {
  expect(compiled).toBe('');
});

test.describe('an application with the packed Nest module', () => {
  let host: ErrataProcess;

  test.beforeAll(async () => {
    host = await processOf('shop', { environment: PATIENT }).start();
  });

  test.afterAll(() => host.stop());

  for (const [type, body] of [
    ['application/json', '{"order":"7"}'],
    ['application/x-www-form-urlencoded', 'order=7'],
  ]) {
    test(`reads its own bodies as before: ${type}`, async () => {
      const headers = { 'content-type': type ?? '' };
      const answer = await fetch(`${host.url}/echo`, { method: 'POST', headers, body: body ?? '' });

      expect(await answer.json()).toEqual({ body: { order: '7' } });
    });
  }

  test('has a tunnel that reads an envelope with any content type', async () => {
    const envelope = `${JSON.stringify({ dsn: await host.ownDsn() })}\n{"type":"event"}\n{"message":"from a browser"}\n`;

    const answers = await Promise.all(
      ['application/json', 'text/plain', 'application/x-www-form-urlencoded'].map((type) =>
        fetch(`${host.url}/tunnel`, { method: 'POST', headers: { 'content-type': type }, body: envelope }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('shows a digest that its own console finds', async ({ page }) => {
    await page.goto(`${host.url}/fail/7`);
    const digest = (await page.getByText(/^Digest:/).textContent())?.replace('Digest: ', '') ?? '';

    await page.goto(`${host.url}/console/e/${digest}`);
    await page.getByLabel(/token/i).first().fill(TOKEN);
    await page.keyboard.press('Enter');

    // The heading is the digest until the answer is there.
    await expect(page.getByRole('heading', { level: 1 })).toContainText('the order 7 cannot be shown');
    await expect(page.locator('main')).toContainText(digest);
    await expect(page.locator('main')).toContainText('shop@4.2.0');
  });

  test('prints one line for each fault, and ends, when it cannot start', async () => {
    const failed = await processOf('shop', { dataDir: host.dataDir }).tryStart();

    expect(failed?.code).toBe(1);
    expect(failed?.stderr.trim()).toMatch(/^[^\n]*ERRATA_DATA_DIR: [^\n]*$/);
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`keeps 20 of 20 failures that were shown right before ${signal}`, async () => {
      const before = await countOf(host, 'cannot be shown');

      const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${host.url}/fail/7`)));
      const code = await host.signal(signal);
      host = await processOf('shop', { dataDir: host.dataDir, environment: PATIENT }).start();

      expect(answers.filter(({ status }) => status === 500)).toHaveLength(20);
      expect(code).toBe(null);
      await expect.poll(() => countOf(host, 'cannot be shown')).toBe(before + 20);
    });
  }
});

test('the code of the set-up page sends a test error', async () => {
  const host = await processOf('setup').start();

  const answer = await fetch(`${host.url}/test-error`);

  expect(answer.status).toBe(500);
  await expect.poll(() => countOf(errata, '"Test error: Nest module"')).toBe(1);
  await host.stop();
});
