import { Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import express, { type NextFunction, type Request, type Response } from 'express';
import request from 'supertest';
import { digestOf } from '../digest/digest.ts';
import { HOSTILE_VALUES, unreadable } from '../digest/hostile-values.fixture.ts';
import { readError } from '../digest/read-error.ts';
import type { ReportContext } from '../reporting/server-reporter.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { AllExceptionsFilter } from './all-exceptions.filter.ts';
import { ERROR_PAGES } from './error-pages.fixture.ts';
import { ErrorResponse } from './error-response.ts';
import { openReporter, report, type ReportData } from './error-reporter.ts';
import { FailureRecorder } from './failure-recorder.ts';

const lines: unknown[] = [];
const reports: ReportContext[] = [];
const sink = new Writable({
  write(chunk: Buffer, _, done) {
    lines.push(JSON.parse(chunk.toString()));
    done();
  },
});
const reporter = { report: async (_: unknown, context: ReportContext) => void reports.push(context) };
const recorder = new FailureRecorder(reporter, createLog('info', sink), new Metrics(), '/');
const filter = new AllExceptionsFilter(recorder, new ErrorResponse(ERROR_PAGES), () => false);

/** Throws a value in a handler of an application whose own filter leaves the answer to the one of Errata. */
function answer(thrown: unknown) {
  const fail = (): never => {
    throw thrown;
  };
  // oxlint-disable-next-line no-unused-vars -- Express recognises a handler of errors by its four parameters.
  const handle = (error: unknown, asked: Request, response: Response, _: NextFunction): void => {
    filter.watchAnswer(error, asked, response);
    filter.respond(error, asked, response);
  };
  return request(express().get('/order', fail).use(handle)).get('/order').set('Accept', 'application/json');
}

describe('a value whose reading throws', () => {
  let leave: () => void;

  beforeEach(() => {
    lines.length = 0;
    reports.length = 0;
    leave = openReporter(recorder);
  });

  afterEach(() => leave());

  it.each(HOSTILE_VALUES)(
    'has its own digest and message where a handler throws %s',
    async (_, thrown, text) => {
      const { shown } = digestOf(readError(thrown, '/'), { route: '/order' });

      expect((await answer(thrown)).body).toMatchObject({ status: 500, digest: shown });
      expect(lines).toMatchObject([{ digest: shown, err: { message: expect.stringContaining(text) } }]);
    },
  );

  it.each(HOSTILE_VALUES)('has its own digest and message where it is reported: %s', (_, thrown, text) => {
    const { shown } = digestOf(readError(thrown, '/'), { route: null });
    expect(report(thrown)).toMatchObject({ digest: shown });
    expect(lines).toMatchObject([{ digest: shown, err: { message: expect.stringContaining(text) } }]);
  });

  it.each([
    [null, {}],
    [unreadable({}, 'tags', 'user'), {}],
    [{ tags: 'text', user: 7 }, {}],
    [
      {
        tags: unreadable({ job: 'export', list: [1], big: 1n, long: 'x'.repeat(300) }, 'bad'),
        user: { id: 7 },
      },
      { tags: { job: 'export', long: 'x'.repeat(200) }, user: { id: 7 } },
    ],
    [
      { tags: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}${'x'.repeat(300)}`, at])) },
      {
        tags: Object.fromEntries(
          Array.from({ length: 100 }, (_, at) => [`${at}${'x'.repeat(300)}`.slice(0, 200), at]),
        ),
      },
    ],
  ])('costs no report as its data: %#', (data, expected) => {
    report(new Error('out of order'), data as ReportData);

    const [{ tags, user } = {}] = reports;
    expect({ ...(tags && { tags }), ...(user && { user }) }).toEqual(expected);
  });
});

/** Reads an error as carelessly as the logger of Nest, and writes nothing. */
const careless = {
  log: (): void => {},
  warn: (): void => {},
  error: (value: unknown) => void lines.push(value instanceof Error ? value.message : String(value)),
};

it.each(HOSTILE_VALUES)('goes to the log of Nest without an application: %s', (_, thrown) => {
  lines.length = 0;
  Logger.overrideLogger(careless);

  expect(report(thrown)).toBeNull();
  expect(lines).toEqual([expect.any(String)]);
});
