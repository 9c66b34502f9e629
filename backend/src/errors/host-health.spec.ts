import {
  type BeforeApplicationShutdown,
  Controller,
  Get,
  type INestApplication,
  Module,
  UseFilters,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { HealthCheck, HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import { HostApplication } from './host-application.fixture.ts';
import { ExtendingFilter } from './host-module.fixture.ts';

/** Runs once for all answers, because the result has its duration. */
const lost = Promise.resolve(
  new HealthIndicatorService().check('mail').attempt(() => {
    throw new Error('the connection is lost');
  }),
);

@Controller('health')
class HealthController {
  readonly #health: HealthCheckService;
  readonly #indicator: HealthIndicatorService;

  constructor(health: HealthCheckService, indicator: HealthIndicatorService) {
    this.#health = health;
    this.#indicator = indicator;
  }

  @Get('up')
  @HealthCheck()
  up(): Promise<unknown> {
    return this.#health.check([() => this.#indicator.check('redis').up()]);
  }

  @Get('degraded')
  @HealthCheck()
  degraded(): Promise<unknown> {
    return this.#health.check([() => this.#indicator.check('disk').degraded({ free: '4 %' })]);
  }

  @Get('down')
  @HealthCheck()
  down(): Promise<unknown> {
    return this.#health.check([
      () => this.#indicator.check('redis').up(),
      () => this.#indicator.check('database').down({ message: 'timeout of 1000ms exceeded' }),
    ]);
  }

  @Get('own-extends')
  @UseFilters(ExtendingFilter)
  @HealthCheck()
  ownExtends(): Promise<unknown> {
    return this.down();
  }

  @Get('throws')
  @HealthCheck()
  throws(): Promise<unknown> {
    return this.#health.check([() => lost]);
  }

  /** An indicator of its own that Terminus does not call as an attempt: what it throws is no result. */
  @Get('broken')
  @HealthCheck()
  broken(): Promise<unknown> {
    const broken = (): never => {
      throw new TypeError('secret');
    };
    return this.#health.check([broken]);
  }
}

/** Is asked while the application shuts down: Nest calls the modules that are farther from the root later. */
class LastProbe implements BeforeApplicationShutdown {
  ask = async (): Promise<void> => {};

  beforeApplicationShutdown(): Promise<void> {
    return this.ask();
  }
}

@Module({ providers: [LastProbe] })
class FarModule {}

@Module({ imports: [FarModule] })
class NearModule {}

@Module({
  imports: [TerminusModule.forRoot({ logger: false }), NearModule],
  controllers: [HealthController],
  providers: [ExtendingFilter],
})
class HealthModule {}

/** Returns what a probe gets, without the date. */
async function probed(url: string, path: string, accept: string): Promise<readonly [number, object, string]> {
  const response = await fetch(`${url}/health/${path}`, { headers: { accept } });
  const { date: _, ...headers } = Object.fromEntries(response.headers);
  return [response.status, headers, await response.text()];
}

/** Starts the application with the error handling, and without it. */
async function started(): Promise<readonly [HostApplication, INestApplication]> {
  const plain = await NestFactory.create(HealthModule, { logger: false });
  await plain.listen(0, '127.0.0.1');
  return [await HostApplication.start(HealthModule), plain];
}

describe('a health check of @nestjs/terminus', () => {
  let host: HostApplication;
  let plain: INestApplication;

  beforeAll(async () => {
    [host, plain] = await started();
  });

  beforeEach(() => host.prepare(() => undefined));

  afterAll(() => Promise.all([host.close(), plain.close()]));

  it.each(
    ['application/json', '*/*', 'text/html'].flatMap((accept) => [
      { path: 'up', accept, expected: [200, 'ok'] },
      { path: 'degraded', accept, expected: [200, 'degraded'] },
      { path: 'down', accept, expected: [503, 'error'] },
      { path: 'throws', accept, expected: [503, 'error'] },
      { path: 'own-extends', accept, expected: [503, 'error'] },
    ]),
  )('is answered as without Errata, and is no event: $path, $accept', async ({ path, accept, expected }) => {
    const answer = await probed(await host.url(), path, accept);

    expect(answer).toEqual(await probed(await plain.getUrl(), path, accept));
    expect([answer[0], (JSON.parse(answer[2]) as { readonly status: string }).status]).toEqual(expected);
    expect([host.lines, host.reports, host.logged]).toEqual([[], [], []]);
  });

  it('is answered as without Errata while the application shuts down', async () => {
    const [ending, plainEnding] = await started();
    const answers: unknown[] = [];
    for (const [probe, url, end] of [
      [ending.get(LastProbe), await ending.url(), () => ending.close()],
      [plainEnding.get(LastProbe, { strict: false }), await plainEnding.getUrl(), () => plainEnding.close()],
    ] as const) {
      probe.ask = async () => void answers.push(await probed(url, 'up', '*/*'));
      await end();
    }

    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toEqual([503, expect.anything(), expect.stringContaining('"shutting_down"')]);
    expect([ending.lines, ending.reports]).toEqual([[], []]);
  });

  it('is a failure as any other if an indicator throws past it', async () => {
    const response = await host.fetch('health/broken');

    expect(await response.json()).toMatchObject({ status: 500, digest: host.reports[0]?.digest });
    expect(host.reports).toHaveLength(1);
  });
});
