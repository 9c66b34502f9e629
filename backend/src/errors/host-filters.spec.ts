import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Module,
  UseFilters,
} from '@nestjs/common';
import { APP_FILTER, ApplicationConfig, BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import * as Sentry from '@sentry/nestjs';
import { SentryGlobalFilter, SentryModule } from '@sentry/nestjs/setup';
import type { AllExceptionsFilter } from './all-exceptions.filter.ts';
import { ErrorHandling } from './error-handling.ts';
import { HostApplication, NESTS_ANSWER } from './host-application.fixture.ts';
import { request } from './host-module.fixture.ts';

/** Reports to Sentry, and answers as Nest does. */
@Catch()
class CapturedFilter extends BaseExceptionFilter {
  @Sentry.SentryExceptionCaptured()
  override catch(thrown: unknown, host: ArgumentsHost): void {
    const answer = super.catch.bind(this);
    answer(thrown, host);
  }
}

class SoldError extends Error {}
class ClosedError extends Error {}
class LateError extends Error {}

@Catch(SoldError)
class SoldFilter implements ExceptionFilter {
  catch(): string {
    return 'sold';
  }
}

@Catch(ClosedError)
class ClosedFilter implements ExceptionFilter {
  catch(): never {
    throw new Error('closed until Monday');
  }
}

@Catch(LateError)
class LateFilter implements ExceptionFilter {
  async catch(thrown: unknown): Promise<never> {
    throw thrown;
  }
}

@Controller()
class CapturedController {
  @Get('captured')
  @UseFilters(CapturedFilter)
  captured(): unknown {
    return request.fail();
  }
}

@Module({
  imports: [SentryModule.forRoot()],
  controllers: [CapturedController],
  providers: [
    CapturedFilter,
    { provide: APP_FILTER, useClass: SentryGlobalFilter },
    { provide: APP_FILTER, useClass: SoldFilter },
    { provide: APP_FILTER, useClass: ClosedFilter },
    { provide: APP_FILTER, useClass: LateFilter },
  ],
})
class SentryHostModule {}

/** Messages of what the application's own Sentry gets. */
const captured: unknown[] = [];
const throwing = (thrown: unknown) => (): never => {
  throw thrown;
};

describe('an error that a global filter of the application gets, as that of @sentry/nestjs', () => {
  let host: HostApplication;

  beforeAll(async () => {
    Sentry.init({
      dsn: 'http://key@127.0.0.1:9/7',
      // Hooks into modules that are loaded later, for spans.
      enableRuntimeChannelInjection: false,
      beforeSend: ({ exception }) => {
        captured.push(exception?.values?.[0]?.value);
        return null;
      },
    });
    host = await HostApplication.start(SentryHostModule);
  });

  afterAll(async () => {
    await host.close();
    await Sentry.close();
  });

  const ANSWER = '500 application/json with digest';

  it.each([
    ['a controller', () => host.http('controller'), ANSWER],
    ['a pipe', () => host.http('pipe'), ANSWER],
    ['an interceptor', () => host.http('interceptor'), ANSWER],
    ['a guard', () => host.http('guard'), ANSWER],
    ['a middleware', () => host.http('middleware'), ANSWER],
    ['a filter with @SentryExceptionCaptured', () => host.http('captured'), ANSWER],
    ['sent headers', () => host.http('half'), '200 '],
    ['GraphQL', () => host.call('graphql'), 'passed on'],
    ['RPC', () => host.rpc(SentryGlobalFilter), NESTS_ANSWER],
  ])('is recorded once, and once by Sentry: %s', async (name, ask, answer) => {
    host.prepare(throwing(new Error(name)));
    captured.length = 0;

    expect(await ask()).toBe(answer);
    await Sentry.flush();

    expect(host.lines).toHaveLength(1);
    expect(host.reports.map(({ digest }) => digest)).toEqual([host.lines[0]?.['digest']]);
    expect(captured).toEqual([name]);
  });

  it.each([
    ['a value', new SoldError()],
    ['another exception', new ClosedError()],
  ])('is none in GraphQL if the filter answers by %s', async (_, thrown) => {
    host.prepare(throwing(thrown));

    expect(await host.call('graphql')).toBe('another end');
    expect(host.reports).toEqual([]);
  });

  it.each([
    ['its upload', new Error('a'), () => host.abort('half', 'a')],
    ['the work that it asked for', AbortSignal.abort().reason, () => host.abort('half')],
  ])('is none if the client leaves %s after the head', async (_, thrown: unknown, leave) => {
    const left = Promise.withResolvers<void>();
    host.prepare(async () => {
      await once(await request.arrived.promise, 'close');
      left.resolve();
      throw thrown;
    });

    await leave();
    await left.promise;
    await turn();

    expect(host.reports).toEqual([]);
  });

  it('is recorded once if the filter passes it on later', async () => {
    host.prepare(throwing(new LateError()));

    expect(await host.call('graphql')).toBe('passed on');
    expect(host.reports).toHaveLength(1);
  });
});

it('leaves to Nest what the application has added and is no filter', () => {
  const config = new ApplicationConfig();
  const handling = new ErrorHandling({} as AllExceptionsFilter, new HttpAdapterHost(), config);
  config.useGlobalFilters(null as never, SoldFilter as never);

  expect(handling).toBeDefined();
  expect(config.getGlobalFilters().slice(1)).toEqual([null, SoldFilter]);
});
