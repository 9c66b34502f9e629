import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Controller, type ExecutionContext, Get, Module, Post } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Errata } from './errata.ts';
import { ErrorReporter, ErrorReportingModule, report } from './error-reporting.module.ts';

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

const directory = mkdtempSync(join(tmpdir(), 'errata-module-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('an application that cannot start with the module', () => {
  it.each([
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
    [
      'a misspelt setting',
      () => NestFactory.createApplicationContext(shopWith({ SENTRY_DNS: 'https://a@b.example/1' }), QUIET),
      'SENTRY_DNS: no such setting (see docs/configuration.md)',
    ],
    [
      'a link on plain pages',
      () => NestFactory.createApplicationContext(shopWith({ ERRATA_SUPPORT_URL: 'https://help.x' }), QUIET),
      'ERRATA_SUPPORT_URL: needs ERRATA_ERROR_PAGE=helpful',
    ],
    [
      'a factory that returns nothing',
      () => {
        const imports = [
          ErrorReportingModule.forRootAsync({ useFactory: () => JSON.parse('null') as never }),
        ];
        return NestFactory.createApplicationContext({ module: class ShopModule {}, imports }, QUIET);
      },
      'The factory of ErrorReportingModule.forRootAsync() returned no options; return {} for none',
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

const OPTIONS = { settings: { ERRATA_DATA_DIR: join(directory, 'late') } };

class ConfigService {
  readonly environment = 'late';
}

it.each([
  ['of the environment when Nest creates its providers', () => ErrorReportingModule.forRoot(OPTIONS)],
  [
    'of another provider',
    () =>
      ErrorReportingModule.forRootAsync({
        imports: [{ module: class ConfigModule {}, providers: [ConfigService], exports: [ConfigService] }],
        inject: [ConfigService],
        useFactory: ({ environment }: ConfigService) => ({
          settings: { ...OPTIONS.settings, SENTRY_ENVIRONMENT: environment },
        }),
      }),
  ],
])('has the settings %s', async (_, reporting) => {
  const imports = [reporting()];
  process.env['SENTRY_ENVIRONMENT'] = 'late';
  const shop = await NestFactory.createApplicationContext({ module: class ShopModule {}, imports }, QUIET);
  delete process.env['SENTRY_ENVIRONMENT'];

  const { browserSettings } = shop.get(Errata, { strict: false });
  expect(browserSettings).toMatchObject({ environment: 'late', help: undefined });
  await shop.close();
});

/** The database of the application, which is away at present. */
const DATABASE = {
  DATABASE_URL: 'postgres://shop@127.0.0.1:1/shop',
  SENTRY_DSN: `http://${'a'.repeat(32)}@127.0.0.1:1/1`,
};
const STORE = ', store: the PostgreSQL of DATABASE_URL';

it.each([
  ['closed', {}, ' (closed: set ERRATA_CONSOLE_TOKEN, 16 characters or more)'],
  ['open', { ERRATA_CONSOLE_TOKEN: 'a-token-of-operators' }, ''],
  [
    'open, and a store in PostgreSQL',
    { ...DATABASE, ERRATA_CONSOLE_TOKEN: 'a-token-of-operators' },
    '',
    STORE,
  ],
])(
  'has one line beside those of Nest in the log of the application, with a console that is %s',
  async (state, access, words, store = '') => {
    const lines: unknown[] = [];
    const logger = { log: (line: unknown) => lines.push(line), warn: () => {}, error: () => {} };
    const settings = { ...access, ERRATA_DATA_DIR: join(directory, state) };
    const shop = await NestFactory.create(shopWith(settings), { ...QUIET, logger });
    await shop.listen(0, '127.0.0.1');

    const url = await shop.getUrl();
    expect(lines).toEqual([
      'Starting Nest application...',
      ...['ShopModule', 'ErrataModule', 'ErrorReportingModule'].map(
        (name) => `${name} dependencies initialized`,
      ),
      'Nest application successfully started',
      `Console: ${url}/console${words}, data: ${join(directory, state)}${store}`,
    ]);
    await shop.close();
  },
);

it('warns one of several servers without a store for all', async () => {
  const warnings: unknown[] = [];
  const logger = { log: () => {}, warn: (line: unknown) => warnings.push(line), error: () => {} };
  const settings = { ERRATA_DATA_DIR: join(directory, 'second') };
  process.env['NODE_APP_INSTANCE'] = '1';
  const shop = await NestFactory.create(shopWith(settings), { ...QUIET, logger });
  await shop.init();
  await shop.close();
  const script = await NestFactory.createApplicationContext(shopWith(settings), { ...QUIET, logger });
  delete process.env['NODE_APP_INSTANCE'];
  await script.close();

  expect(warnings).toEqual([expect.stringMatching(/^DATABASE_URL: missing, so that the console/)]);
});

it('reports without HTTP, opens no port, and keeps its data out of git', async () => {
  const settings = { ERRATA_DATA_DIR: join(directory, 'context'), MANAGEMENT_PORT: '1' };
  const shop = await NestFactory.createApplicationContext(shopWith(settings), QUIET);
  const parts = shop.get(Errata, { strict: false });

  await report(new Error('the migration failed'))?.kept;

  // `kept` waits 250 ms at most, and a commit on a busy machine may take longer.
  let kept = 0;
  while (kept === 0) {
    const { queued, delivered } = await parts.backlog();
    kept = queued + delivered;
  }
  expect(parts.options.config.managementPort).toBeNull();
  expect(kept).toBe(1);
  expect(readFileSync(join(directory, 'context', '.gitignore'), 'utf8')).toBe('*\n');
  await shop.close();
});

it('shows helpful pages of at most 1.8 KiB if its settings say so', async () => {
  const settings = {
    ERRATA_DATA_DIR: join(directory, 'helpful'),
    ERRATA_ERROR_PAGE: 'helpful',
    ERRATA_SUPPORT_URL: 'mailto:help@shop.example?subject={digest}',
  };
  const shop = await NestFactory.create(shopWith(settings), QUIET);
  shop.use('/cart', () => {
    throw new Error('the cart is broken');
  });
  await shop.listen(0, '127.0.0.1');
  const ask = async (path: string) => {
    const response = await fetch((await shop.getUrl()) + path, { headers: { accept: 'text/html' } });
    return { headers: response.headers, html: await response.text() };
  };

  const { headers, html } = await ask('/cart?id=1');
  const missing = await ask('/missing');
  const { help } = shop.get(Errata, { strict: false }).browserSettings;
  await shop.close();
  expect(html).toContain(`<p>Reference: <code>${headers.get('x-errata-reference')}</code></p>`);
  expect(html).toContain(
    `<p><a href="">Try again</a> <a href="/">Home</a> <a href="mailto:help@shop.example?subject=${headers.get('x-errata-digest')}">Get help</a></p>`,
  );
  expect(help).toEqual({ supportUrl: settings.ERRATA_SUPPORT_URL });
  expect(missing.html).toContain('<div><p><a href="/">Home</a></p></div>');
  expect(Math.max(...[html, missing.html].map((page) => gzipSync(page).length))).toBeLessThan(1.8 * 1_024);
});

/** Has names of its own for paths that the tunnel has, too. */
@Controller()
class OwnPaths {
  @Get('reports')
  reports(): string {
    return 'own';
  }

  @Post('api/:project/store')
  store(): string {
    return 'own';
  }

  @Get('tunnel')
  tunnel(): string {
    return 'own';
  }
}

describe('an application with a prefix, a global guard and paths like those of the tunnel', () => {
  it('keeps its routes, its guard sees no route of the module, and its modules can report', async () => {
    const guarded: string[] = [];
    const guard = {
      canActivate(context: ExecutionContext): boolean {
        guarded.push(`${context.getClass().name}.${context.getHandler().name}`);
        return true;
      },
    };
    @Module({ controllers: [OwnPaths] })
    class FeatureModule {
      readonly errors: ErrorReporter;
      constructor(errors: ErrorReporter) {
        this.errors = errors;
      }
    }
    @Module({
      imports: [
        ErrorReportingModule.forRoot({ settings: { ERRATA_DATA_DIR: join(directory, 'routes') } }),
        FeatureModule,
      ],
      providers: [{ provide: APP_GUARD, useValue: guard }],
    })
    class ShopModule {}
    const shop = await NestFactory.create(ShopModule, QUIET);
    await shop.setGlobalPrefix('v1').listen(0, '127.0.0.1');
    const url = await shop.getUrl();
    const ask = async (method: string, path: string): Promise<string> => {
      const response = await fetch(url + path, { method });
      const text = await response.text();
      return `${response.status} ${text.slice(0, 3)}`;
    };

    const own = [
      await ask('GET', '/v1/reports'),
      await ask('POST', '/v1/api/5/store'),
      await ask('GET', '/v1/tunnel'),
    ];
    const outside = [
      await ask('GET', '/reports'),
      await ask('POST', '/api/5/store'),
      await ask('GET', '/tunnel'),
    ];

    const error = new Error('the export failed');
    const { errors } = shop.get(FeatureModule);
    const reported = errors.report(error);
    expect(report(error)?.digest).toBe(reported?.digest);
    expect(reported?.digest).toBeDefined();
    expect(own).toEqual(['200 own', '201 own', '200 own']);
    expect(outside.map((answer) => answer.slice(0, 3))).toEqual(['404', '404', '405']);
    expect(guarded).toEqual(['OwnPaths.reports', 'OwnPaths.store', 'OwnPaths.tunnel']);
    await shop.close();
    expect([report(error), errors.report(error)]).toEqual([null, null]);
  });
});
