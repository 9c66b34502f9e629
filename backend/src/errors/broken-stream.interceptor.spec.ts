import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
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

/** Source of a body; by default the test writes to it, and breaks it once the client has the first bytes. */
let source: Readable;
let written: PassThrough;
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

  @Get('closed-late')
  closedLate(): StreamableFile {
    const closeFails = new Readable({
      read: () => void (closeFails.push('all of it'), closeFails.push(null)),
      destroy: (_, done) => done(new Error('the file cannot be closed')),
    });
    return new StreamableFile(closeFails);
  }

  @Get('readable')
  readable(): Readable {
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
  let logged: unknown[];
  /** Resolves once reports are on disk. */
  let commit: Promise<void>;
  let onReport: () => void;

  beforeEach(async () => {
    written = new PassThrough();
    source = written;
    events = new Subject();
    reports = [];
    logged = [];
    commit = Promise.resolve();
    onReport = () => {};
    const report = (thrown: unknown): Promise<void> => {
      reports.push(thrown);
      onReport();
      return commit;
    };
    const recorder = new FailureRecorder({ report }, createLog('silent'), new Metrics(), '/');
    const filter = new AllExceptionsFilter(recorder, new ErrorResponse(ERROR_PAGES), () => false);
    const module = await Test.createTestingModule({ imports: [StreamModule] }).compile();
    application = module.createNestApplication<NestExpressApplication>({
      logger: { log: () => {}, warn: () => {}, error: (message: unknown) => void logged.push(message) },
    });
    application.useGlobalFilters(filter);
    application.useGlobalInterceptors(new BrokenStreamInterceptor(filter));
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
      written.write('the first part');
      const response = await fetch(`${url}/${path}`);
      const thrown = new Error('the volume is gone');

      source.destroy(thrown);

      await expect(response.text()).rejects.toThrow('terminated');
      expect(response.status).toBe(200);
      expect(reports).toEqual([thrown]);
    },
  );

  it.each(['file', 'readable', 'generator'])(
    'records a %s once that breaks before its first byte',
    async (path) => {
      source = new Readable({ read: () => source.destroy(new Error('no volume')) });

      const { status, headers } = await fetch(`${url}/${path}`);

      expect([status, headers.has('x-errata-digest'), reports.length]).toEqual([500, true, 1]);
    },
  );

  it('sends a file that breaks after its end', async () => {
    expect(await (await fetch(`${url}/closed-late`)).text()).toBe('all of it');
    expect(reports).toEqual([]);
  });

  it.each(['file', 'readable', 'generator'])('leaves a %s alone that ends', async (path) => {
    written.end('all of it');

    expect(await (await fetch(`${url}/${path}`)).text()).toBe('all of it');
    expect(reports).toEqual([]);
  });

  it('lets Nest end a generator whose client has left', async () => {
    const { promise: isEnded, resolve } = Promise.withResolvers<void>();
    const endless = new Readable({
      read: () => void endless.push('part'),
      destroy: (_, done) => (resolve(), done(null)),
    });
    source = endless;
    const client = new AbortController();
    const { status } = await fetch(`${url}/generator`, { signal: client.signal });

    client.abort();

    await isEnded;
    expect([status, reports]).toEqual([200, []]);
  });

  it('records what breaks a stream of events, and closes the connection', async () => {
    const response = await fetch(`${url}/events`);
    const thrown = new Error('the source is gone');

    events.error(thrown);

    await expect(response.text()).rejects.toThrow('terminated');
    expect([reports, logged]).toEqual([[thrown], []]);
  });

  it('responds with a digest to a stream of events that fails before its first byte', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const reported = new Promise<void>((done) => void (onReport = done));
    commit = promise;
    const answer = fetch(`${url}/no-events`);

    await reported;
    // Nest sends the head of the stream in the next turn, unless the stream has failed.
    await turn();
    resolve();

    const { status, headers } = await answer;
    expect([status, headers.has('x-errata-digest'), reports.length]).toEqual([500, true, 1]);
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

/** A failure is a change of Nest: adapt DEFAULT_HANDLER of the interceptor, as the sentence says. */
describe("Nest's own error handler of a StreamableFile, as DEFAULT_HANDLER needs it", () => {
  const fileOf = (type: string): StreamableFile => new StreamableFile(Readable.from(['a part']), { type });

  it('is another function for each file, else compare the functions instead of their texts', () => {
    expect(fileOf('text/css').errorHandler).not.toBe(fileOf('text/html').errorHandler);
  });

  it('has the same text for each file, else no file gets a digest', () => {
    const { errorHandler } = new StreamableFile(new Uint8Array());

    expect(String(fileOf('text/css').errorHandler)).toBe(String(errorHandler));
  });

  it('has a text that no other function has, else those of applications are replaced', () => {
    expect(String(fileOf('text/css').errorHandler)).not.toContain('[native code]');
  });

  it('answers 400, else the interceptor may leave files to Nest', () => {
    const response = { destroyed: false, headersSent: false, statusCode: 200, send: () => {}, end: () => {} };
    const file = fileOf('text/css').setErrorLogger(() => {});

    file.errorHandler(new Error('no volume'), response);

    expect(response.statusCode).toBe(400);
  });
});
