import { createReadStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { BadRequestException, Controller, Get, Module, Sse, StreamableFile } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { type Observable, Subject } from 'rxjs';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { AllExceptionsFilter } from './all-exceptions.filter.ts';
import { BrokenStreamInterceptor } from './broken-stream.interceptor.ts';
import { ERROR_PAGES } from './error-pages.fixture.ts';
import { ErrorResponse } from './error-response.ts';
import { FailureRecorder } from './failure-recorder.ts';

/** Source of a body. The test breaks it, once the client has the first bytes. */
let source: PassThrough;
let events: Subject<{ readonly data: string }>;

@Controller()
class StreamController {
  @Get('missing')
  missing(): StreamableFile {
    return new StreamableFile(createReadStream('/no-such-report.pdf'));
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(source);
  }

  @Get('own-handler')
  ownHandler(): StreamableFile {
    const file = new StreamableFile(createReadStream('/no-such-report.pdf'));
    return file.setErrorHandler((_, response) => {
      response.statusCode = 404;
      response.send('no report');
    });
  }

  @Get('readable')
  readable(): PassThrough {
    return source;
  }

  @Get('generator')
  async *generator(): AsyncGenerator {
    for await (const part of source) yield part;
  }

  @Sse('events')
  events(): Observable<object> {
    return events;
  }

  @Sse('no-events')
  noEvents(): Observable<object> {
    events.error(new Error('no source of events'));
    return events;
  }
}

@Module({ controllers: [StreamController] })
class StreamModule {}

describe('BrokenStreamInterceptor', () => {
  let application: NestExpressApplication;
  let url: string;
  let reports: unknown[];

  beforeEach(async () => {
    source = new PassThrough();
    events = new Subject();
    reports = [];
    const reporter = { report: async (thrown: unknown) => void reports.push(thrown) };
    const recorder = new FailureRecorder(reporter, createLog('silent'), new Metrics(), '/');
    const filter = new AllExceptionsFilter(recorder, new ErrorResponse(ERROR_PAGES), () => false);
    const module = await Test.createTestingModule({ imports: [StreamModule] }).compile();
    application = module.createNestApplication<NestExpressApplication>({ logger: false });
    application.useGlobalFilters(filter);
    application.useGlobalInterceptors(
      new BrokenStreamInterceptor((thrown, host) => filter.catch(thrown, host)),
    );
    await application.listen(0, '127.0.0.1');
    url = await application.getUrl();
  });

  afterEach(() => application.close());

  it('responds with a digest when a file cannot be read', async () => {
    const response = await fetch(`${url}/missing`, { headers: { accept: 'application/json' } });

    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ digest: response.headers.get('x-errata-digest') });
    expect(reports).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
  });

  it.each(['file', 'readable', 'generator'])(
    'records what breaks a %s, and closes the connection',
    async (path) => {
      source.write('the first part');
      const response = await fetch(`${url}/${path}`);
      const thrown = new Error('the volume is gone');

      source.destroy(thrown);

      await expect(response.text()).rejects.toThrow('terminated');
      expect(response.status).toBe(200);
      expect(reports).toEqual([thrown]);
    },
  );

  it.each(['file', 'readable', 'generator'])('leaves a %s alone that ends', async (path) => {
    source.end('all of it');

    expect(await (await fetch(`${url}/${path}`)).text()).toBe('all of it');
    expect(reports).toEqual([]);
  });

  it('records what breaks a stream of events, and closes the connection', async () => {
    const response = await fetch(`${url}/events`);
    const thrown = new Error('the source is gone');

    events.error(thrown);

    await expect(response.text()).rejects.toThrow('terminated');
    expect(reports).toEqual([thrown]);
  });

  it('responds with a digest to a stream of events that fails before its first byte', async () => {
    const response = await fetch(`${url}/no-events`);

    expect([response.status, response.headers.has('x-errata-digest')]).toEqual([500, true]);
    expect(reports).toHaveLength(1);
  });

  it('leaves the rejection in a stream of events to Nest', async () => {
    const response = await fetch(`${url}/events`);

    events.error(new BadRequestException('no such order'));

    expect(await response.text()).toContain('data: no such order');
    expect(reports).toEqual([]);
  });

  it('leaves a file to the error handler of the application', async () => {
    const response = await fetch(`${url}/own-handler`);

    expect([response.status, await response.text()]).toEqual([404, 'no report']);
    expect(reports).toEqual([]);
  });
});
