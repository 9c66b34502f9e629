import { Writable } from 'node:stream';
import {
  BadRequestException,
  Controller,
  Get,
  HttpException,
  type MiddlewareConsumer,
  Module,
  type NestModule,
} from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { ReportContext } from '../reporting/reporter.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { AllExceptionsFilter } from './all-exceptions.filter.ts';
import { ERROR_PAGES } from './error-pages.fixture.ts';
import { ErrorResponse } from './error-response.ts';
import { FailureRecorder } from './failure-recorder.ts';

class Unavailable extends Error {}

@Controller()
class AnsweringController {
  @Get('moved')
  moved(): never {
    throw new HttpException({ to: '/elsewhere' }, 302);
  }

  @Get('unchanged')
  unchanged(): never {
    throw new HttpException('Not Modified', 304);
  }

  @Get('validated')
  validated(): never {
    throw new BadRequestException(['a is missing', 'b is too long']);
  }
}

@Module({ controllers: [AnsweringController] })
class HostModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const fail = () => {
      throw new Error('in a middleware');
    };
    const refuse = () => {
      throw new BadRequestException('no tenant');
    };
    consumer.apply(fail).forRoutes('api/orders');
    consumer.apply(refuse).forRoutes('api/tenant');
  }
}

describe('AllExceptionsFilter in another application', () => {
  let application: NestExpressApplication;
  let lines: Record<string, unknown>[];
  let reports: ReportContext[];

  beforeEach(async () => {
    lines = [];
    reports = [];
    const sink = new Writable({
      write(chunk: Buffer, _, done) {
        lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
        done();
      },
    });
    const reporter = {
      report: async (_: unknown, context: ReportContext) => void reports.push(context),
    };
    const recorder = new FailureRecorder(reporter, createLog('info', sink), new Metrics(), '/');
    const module = await Test.createTestingModule({ imports: [HostModule] }).compile();
    application = module.createNestApplication<NestExpressApplication>({ logger: false });
    const isUnavailable = (thrown: unknown) => thrown instanceof Unavailable;
    application.useGlobalFilters(
      new AllExceptionsFilter(recorder, new ErrorResponse(ERROR_PAGES), isUnavailable),
    );
    await application.init();
  });

  afterEach(() => application.close());

  const get = (path: string) => request(application.getHttpServer()).get(path).redirects(0);

  /** Calls a resolver as @nestjs/graphql does. */
  function resolve(thrown: unknown, context = 'graphql'): Promise<unknown> {
    const resolver = { order: () => Promise.reject(thrown) };
    const call = application
      .get(ExternalContextCreator)
      .create(
        resolver,
        resolver.order,
        'order',
        undefined,
        undefined,
        undefined,
        undefined,
        { guards: true, interceptors: true, filters: true },
        context,
      ) as (...args: unknown[]) => Promise<unknown>;
    return call(undefined, { id: 1 }, {}, {});
  }

  it.each(['graphql', 'rpc', 'ws', 'queue'])(
    'records an error of the context %s, and passes it on',
    async (context) => {
      const thrown = new Error('resolver failed');

      await expect(resolve(thrown, context)).rejects.toBe(thrown);

      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({ msg: 'call_failed', context, digest: reports[0]?.digest });
      expect(reports).toHaveLength(1);
      expect(reports[0]?.request).toBeNull();
    },
  );

  it.each([
    ['a rejection', new BadRequestException('id is missing')],
    ['an unavailable store', new Unavailable()],
  ])('passes %s on without a record', async (_, thrown) => {
    await expect(resolve(thrown)).rejects.toBe(thrown);

    expect([lines, reports]).toEqual([[], []]);
  });

  it('names the whole path of an error in a middleware, in answer, log and report', async () => {
    const response = await get('/api/orders/7?x=1');

    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.body).toMatchObject({ status: 500, instance: '/api/orders/7' });
    expect(lines[0]).toMatchObject({ path: '/api/orders/7' });
    expect(reports[0]?.request).toMatchObject({ path: '/api/orders/7' });
  });

  it('names the whole path of a rejection in a middleware', async () => {
    const response = await get('/api/tenant');

    expect(response.body).toMatchObject({ status: 400, instance: '/api/tenant', detail: 'no tenant' });
  });

  it('lists the messages of a validation', async () => {
    const response = await get('/validated').set('Accept', 'application/json');

    expect(response.body).toMatchObject({ status: 400, detail: 'a is missing; b is too long' });
  });

  it('leaves an HttpException below 400 to the application', async () => {
    const [moved, unchanged] = [await get('/moved'), await get('/unchanged')];

    expect([moved.status, moved.body]).toEqual([302, { to: '/elsewhere' }]);
    expect(unchanged.status).toBe(304);
    expect([lines, reports]).toEqual([[], []]);
  });
});
