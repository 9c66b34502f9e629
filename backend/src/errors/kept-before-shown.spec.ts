import { Controller, Get, Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { NextFunction, Request, Response } from 'express';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import { AllExceptionsFilter } from './all-exceptions.filter.ts';
import { ERROR_PAGES } from './error-pages.fixture.ts';
import { ErrorResponse } from './error-response.ts';
import { FailureRecorder } from './failure-recorder.ts';

const FORMS = ['text/html', 'application/json', 'text/plain'];

@Controller()
class FailingController {
  @Get('throws')
  throws(): never {
    throw new Error('out of order');
  }
}

@Module({ controllers: [FailingController] })
class FailingModule {}

describe('the answer to a failure', () => {
  let application: NestExpressApplication;
  let url: string;
  let time: ManualTime;
  let metrics: Metrics;
  /** Each report's commit, in order; the test decides when it ends. */
  let commits: PromiseWithResolvers<void>[];
  let onReport: () => void;
  let responses: Response[];

  beforeEach(async () => {
    commits = [];
    responses = [];
    time = new ManualTime();
    metrics = new Metrics();
    const report = (): Promise<void> => {
      const commit = Promise.withResolvers<void>();
      commits.push(commit);
      onReport();
      return commit.promise;
    };
    const recorder = new FailureRecorder({ report }, createLog('silent'), metrics, '/srv', time);
    const module = await Test.createTestingModule({ imports: [FailingModule] }).compile();
    application = module.createNestApplication<NestExpressApplication>({ logger: false });
    application.useGlobalFilters(
      new AllExceptionsFilter(recorder, new ErrorResponse(ERROR_PAGES), () => false),
    );
    application.use((_: Request, response: Response, next: NextFunction) => {
      responses.push(response);
      next();
    });
    await application.listen(0, '127.0.0.1');
    url = await application.getUrl();
  });

  afterEach(() => application.close());

  /** Asks for a page that fails. Resolves once its failure is reported. */
  async function fail(accept: string): Promise<{ readonly answer: Promise<globalThis.Response> }> {
    const reported = new Promise<void>((resolve) => void (onReport = resolve));
    const answer = fetch(`${url}/throws`, { headers: { accept } });
    await reported;
    await new Promise((resolve) => setImmediate(resolve));
    return { answer };
  }

  it.each(FORMS)('is not sent before its report is on disk, as %s', async (accept) => {
    const { answer } = await fail(accept);

    expect(responses[0]?.headersSent).toBe(false);
    commits[0]?.resolve();
    expect((await answer).status).toBe(500);
  });

  it.each(FORMS)('is sent after 250 ms if the spool does not commit, as %s', async (accept) => {
    const { answer } = await fail(accept);
    const sentAtMs = await time.toNextTimer();

    expect(sentAtMs).toBe(250);
    expect((await answer).status).toBe(500);
  });

  it('tells the metrics how long it waited', async () => {
    const { answer } = await fail('text/html');
    await time.toNextTimer();
    await answer;

    const { values } = await metrics.reportWaitSeconds.get();
    expect(values).toContainEqual(
      expect.objectContaining({ metricName: 'errata_report_wait_seconds_sum', value: 0.25 }),
    );
  });
});
