import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import { expect } from '@playwright/test';
import { packNest } from '../tools/pack.ts';
import { preload } from './faults/parts/preload.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { PackedApplication } from './fixtures/packed-application.ts';
import { test } from './fixtures/test.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
/** The module that the README shows, word by word. */
const README_MODULE = /^## Add it to your application$.*?^```ts$(.*?)^```$/ms.exec(README)?.[1] ?? '';

/** What a new application has: https://docs.nestjs.com/first-steps. */
const OWN = ['@types/node', '@types/express', 'typescript'];

const SOURCE = `
import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule as ReadmeModule } from './app.module.js';

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
class AppModule {}

const application = await NestFactory.create(AppModule, { logger: ['error'] });
await application.listen(process.env['PORT'] ?? 3000, '127.0.0.1');
console.log(JSON.stringify({ msg: 'started', application: await application.getUrl() }));
`;

let shop: PackedApplication;
let compiled: string;

test.beforeAll(() => {
  shop = new PackedApplication(packNest(), 'backend', OWN);
  shop.write('src/app.module.ts', README_MODULE);
  shop.write('src/main.ts', SOURCE);
  compiled = shop.compile({ types: ['node'] });
});

test.afterAll(() => shop.remove());

function start(dataDir?: string, environment = {}): ErrataProcess {
  const main = join(shop.folder, 'dist', 'main.js');
  return new ErrataProcess({ main, environment, ...(dataDir === undefined ? {} : { dataDir }) });
}

async function find(host: ErrataProcess, words: string): Promise<FindAnswer> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const path = `/console/api/find?${new URLSearchParams({ q: words })}`;
  return (await (await fetch(host.url + path, { headers })).json()) as FindAnswer;
}

test('the packed Nest module compiles in a strict application without skipLibCheck', () => {
  expect(compiled).toBe('');
});

test.describe('an application with the packed Nest module', () => {
  let host: ErrataProcess;

  test.beforeAll(async () => {
    host = await start().start();
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
    const failed = await start(undefined, { ERRATA_DATA_DIR: host.dataDir }).tryStart();

    expect(failed?.code).toBe(1);
    expect(failed?.stderr.trim()).toMatch(/^[^\n]*ERRATA_DATA_DIR: [^\n]*$/);
  });
});

/** A page of a process with this option promises its report at any load. */
const PATIENT = { NODE_OPTIONS: preload('patient-pages') };

/** Failures of one process that are shown right before it ends. */
const ORDERS = ['one', 'two', 'three', 'four', 'five'];

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`keeps 20 of 20 failures that were shown right before ${signal}`, async () => {
    let host = start();
    const { dataDir } = host;
    for (let round = 1; round <= 4; round += 1) {
      host = await start(dataDir, PATIENT).start();
      const answers = await Promise.all(ORDERS.map((order) => fetch(`${host.url}/fail/${order}`)));

      expect(await host.signal(signal)).toBe(null);
      expect(answers.map(({ status }) => status)).toEqual(ORDERS.map(() => 500));
    }
    const last = await start(dataDir).start();

    await expect
      .poll(async () =>
        (await find(last, 'cannot be shown')).issues.reduce((sum, { events }) => sum + events, 0),
      )
      .toBe(4 * ORDERS.length);
    await last.stop();
  });
}
