import { Writable } from 'node:stream';
import { BadRequestException, Controller, Get, GoneException, Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Request, Response } from 'express';
import request from 'supertest';
import { CLIENT_ERROR_TEXT, SERVER_ERROR_TEXT } from '../contract/texts.ts';
import { referenceOf } from '../digest/crockford.ts';
import type { ReportContext } from '../reporting/server-reporter.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { AllExceptionsFilter } from './all-exceptions.filter.ts';
import { ERROR_PAGES } from './error-pages.fixture.ts';
import { ErrorResponse } from './error-response.ts';
import { FailureRecorder } from './failure-recorder.ts';

const SECRET = 'secret-of-the-database';
const ROOT = new URL('../../..', import.meta.url).pathname;

class Unavailable extends Error {}
const isUnavailable = (thrown: unknown) => thrown instanceof Unavailable;

@Controller()
class FailingController {
  @Get('throws')
  throws(): never {
    throw new TypeError(SECRET, { cause: new Error('the cause below') });
  }

  @Get('items/:id')
  item(): never {
    throw new Error(SECRET);
  }

  @Get('refused')
  refused(): never {
    throw new BadRequestException('Give a number.');
  }

  @Get('away')
  away(): never {
    throw new Unavailable();
  }

  @Get('gone')
  gone(): never {
    throw new GoneException();
  }
}

@Module({ controllers: [FailingController] })
class FailingModule {}

describe('AllExceptionsFilter', () => {
  let application: NestExpressApplication;
  let lines: Record<string, unknown>[];
  let reports: { thrown: unknown; context: ReportContext }[];

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
      report: (thrown: unknown, context: ReportContext) => {
        reports.push({ thrown, context });
        return Promise.resolve();
      },
    };
    const recorder = new FailureRecorder(reporter, createLog('info', sink), new Metrics(), ROOT);
    const module = await Test.createTestingModule({ imports: [FailingModule] }).compile();
    application = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    application.useGlobalFilters(
      new AllExceptionsFilter(recorder, new ErrorResponse(ERROR_PAGES, () => 0), isUnavailable),
    );
    application.use('/from-middleware', () => {
      throw new Error(SECRET);
    });
    application.use((incoming: Request, _: Response, next: NextFunction) => {
      if (incoming.query['own'] !== undefined) Object.assign(incoming, { id: 'own-id' });
      next();
    });
    application.use('/from-next', (_: Request, __: Response, next: NextFunction) => next(new Error(SECRET)));
    await application.init();
  });

  afterEach(() => application.close());

  const get = (path: string) => request(application.getHttpServer()).get(path);

  it.each(['/throws', '/from-middleware', '/from-next'])(
    'answers %s with a digest and nothing of the error',
    async (path) => {
      const response = await get(path).set('Accept', 'text/html');

      expect(response.status).toBe(500);
      expect(response.text).toContain(SERVER_ERROR_TEXT);
      expect(response.text).toContain(`Digest: ${response.headers['x-errata-digest'] ?? 'none'}`);
      expect(response.headers['x-errata-digest']).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(JSON.stringify([response.text, response.headers])).not.toMatch(
        /secret|TypeError|\.ts|node_modules/,
      );
    },
  );

  it('writes one log line that names the failure as the answer does, with its causes', async () => {
    const response = await get('/throws').set('X-Request-Id', 'abc');

    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      msg: 'request_failed',
      digest: response.headers['x-errata-digest'],
      method: 'GET',
      route: '/throws',
      path: '/throws',
      status: 500,
    });
    expect(JSON.stringify(lines[0])).toContain('the cause below');
    expect(JSON.stringify(lines[0])).toContain(SECRET);
  });

  it.each([
    ['/throws', 'r-7f3a91c2', 'r-7f3a91c2'],
    ['/throws?own=1', 'r-7f3a91c2', 'own-id'],
    ['/throws', 'two words', null],
    ['/throws', 'x'.repeat(129), null],
    ['/throws', '', null],
  ])('names the request of %s with the header "%s" by %p', async (path, header, expected) => {
    await get(path).set('X-Request-Id', header);

    expect(lines[0]?.['requestId']).toBe(expected);
    expect(reports[0]?.context.request?.requestId).toBe(expected);
  });

  it('reports the failure under the same digest and reference', async () => {
    const response = await get('/throws').set('Accept', 'application/json');

    expect(reports).toHaveLength(1);
    expect(reports[0]?.thrown).toBeInstanceOf(TypeError);
    expect(reports[0]?.context.digest).toBe(response.body.digest);
    expect(lines[0]?.['reference']).toBe(response.body.reference);
    expect(referenceOf(reports[0]?.context.eventId ?? '')).toBe(response.body.reference);
    expect(response.headers['x-errata-reference']).toBe(response.body.reference);
  });

  it('answers JSON as problem details', async () => {
    const response = await get('/throws').set('Accept', 'application/json');

    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.body).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: SERVER_ERROR_TEXT,
      instance: '/throws',
      retryable: false,
      digest: expect.stringMatching(/^.{4}-.{4}$/),
      reference: expect.stringMatching(/^.{4}-.{4}$/),
    });
  });

  it('answers a script as plain text', async () => {
    const response = await get('/throws').set('Accept', '*/*').set('Sec-Fetch-Dest', 'script');

    expect(response.headers['content-type']).toContain('text/plain');
    expect(response.text).toBe(
      `${SERVER_ERROR_TEXT}\nDigest: ${response.headers['x-errata-digest'] ?? ''}\n`,
    );
  });

  it('gives one digest to two ids of one route, and another to another route', async () => {
    const digestOf = async (path: string) => (await get(path)).headers['x-errata-digest'];

    const [one, other, elsewhere] = [
      await digestOf('/items/1'),
      await digestOf('/items/2'),
      await digestOf('/throws'),
    ];

    expect(one).toBe(other);
    expect(one).not.toBe(elsewhere);
  });

  it.each([
    [
      '/refused',
      400,
      'Bad Request',
      { detail: 'Give a number.', message: 'Give a number.', error: 'Bad Request' },
    ],
    ['/gone', 410, 'Gone', { message: 'Gone' }],
    [
      '/nope',
      404,
      'Not Found',
      { detail: 'Cannot GET /nope', message: 'Cannot GET /nope', error: 'Not Found' },
    ],
  ])('refuses %s with its own status and no digest', async (path, status, title, said) => {
    const response = await get(path).set('Accept', 'application/json');

    expect(response.body).toEqual({
      type: 'about:blank',
      title,
      status,
      instance: path,
      statusCode: status,
      ...said,
    });
    expect(response.headers['x-errata-digest']).toBeUndefined();
    expect(lines).toEqual([]);
    expect(reports).toEqual([]);
  });

  it('answers 503 with Retry-After while a part is unavailable, and records no error', async () => {
    const response = await get('/away').set('Accept', 'application/json');

    expect([response.status, response.headers['content-type'], response.headers['retry-after']]).toEqual([
      503,
      'application/problem+json; charset=utf-8',
      '5',
    ]);
    expect(response.body).toMatchObject({ title: 'Service Unavailable', status: 503, instance: '/away' });
    expect(response.headers['x-errata-digest']).toBeUndefined();
    expect([lines, reports]).toEqual([[], []]);
  });

  it('shows a refused navigation in the layout of the not-found page', async () => {
    const response = await get('/gone').set('Accept', 'text/html');

    expect(response.status).toBe(410);
    expect(response.text).toContain('<h1>410</h1><p>Gone</p>');
    expect(response.text).toContain('<title>410: Gone</title>');
    expect(response.text).not.toContain(CLIENT_ERROR_TEXT);
  });

  it.each(['/nope', '/throws', '/gone'])('keeps %s out of caches and indexes', async (path) => {
    const response = await get(path).set('Accept', 'text/html');

    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      vary: 'Accept, Sec-Fetch-Dest',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-[^']+';/),
    });
  });

  it('answers a malformed URL with 400', async () => {
    const response = await get('/items/%E0%A4%A').set('Accept', 'text/html');

    expect(response.status).toBe(400);
    expect(lines).toEqual([]);
  });
});
