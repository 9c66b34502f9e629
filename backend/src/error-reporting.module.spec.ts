import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleLogger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { ErrorReportingModule } from './error-reporting.module.ts';

/** An adapter that only says to be another one. */
class FastifyAdapter extends ExpressAdapter {
  override getType(): string {
    return 'fastify';
  }
}

const QUIET = { logger: false, abortOnError: false } as const;

/** Imports the module with these settings, each time it is named. */
function shopWith(...settings: readonly Readonly<Record<string, string>>[]) {
  @Module({ imports: settings.map((each) => ErrorReportingModule.forRoot({ settings: each })) })
  class ShopModule {}
  return ShopModule;
}

const ADAPTER = 'Errata needs the adapter of @nestjs/platform-express; this application has:';

describe('an application that cannot start with the module', () => {
  it.each([
    ['no adapter', () => NestFactory.createApplicationContext(shopWith({}), QUIET), `${ADAPTER} none`],
    [
      'the adapter of another platform',
      () => NestFactory.create(shopWith({}), new FastifyAdapter(), QUIET).then((shop) => shop.init()),
      `${ADAPTER} fastify`,
    ],
    [
      'two imports',
      () => NestFactory.createApplicationContext(shopWith({}, {}), QUIET),
      'Import ErrorReportingModule.forRoot() once, in the root module; it is imported 2 times',
    ],
    [
      'an invalid setting',
      () => NestFactory.create(shopWith({ ERRATA_REPLICA: 'one' }), QUIET).then((shop) => shop.init()),
      'ERRATA_REPLICA: expected a whole number, 0 or above, got "one"',
    ],
  ])('fails with one line, and no stack, for %s', async (_, start, line) => {
    const fault = await start().then(
      () => new Error('it started'),
      (error: Error) => error,
    );

    expect(fault.message).toBe(line);
    expect(fault.stack).toBeUndefined();
  });
});

describe('the route log of an application with a prefix', () => {
  it('shows the controller of the tunnel at its documented paths', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'errata-routes-'));
    const lines: string[] = [];
    const logger = new (class extends ConsoleLogger {
      override log(line: string): void {
        lines.push(line);
      }
    })();
    const settings = { ERRATA_DATA_DIR: directory, ERRATA_TUNNEL_PATH: '/errors' };
    const shop = await NestFactory.create(shopWith(settings), { logger, abortOnError: false });

    await shop.setGlobalPrefix('v1').init();

    const routes = lines.flatMap(
      (line) => /^Mapped \{(?<path>.*), ALL\} route$/.exec(line)?.groups?.['path'] ?? [],
    );
    expect(routes).toEqual(
      expect.arrayContaining(['/errors', '/api/:project/envelope', '/api/:project/store', '/reports']),
    );
    expect(lines.join()).toContain('TunnelController {');
    await shop.close();
    rmSync(directory, { recursive: true });
  });
});
