import { Logger } from '@nestjs/common';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { type ErrorReporter, openReporter, report, type ReportData, whileOpen } from './error-reporter.ts';
import { FailureRecorder } from './failure-recorder.ts';

const REPORTED = { digest: 'ABCD-1234', reference: 'WXYZ-5678', kept: Promise.resolve() };

/** Has the reports that went to it. */
class Reports implements ErrorReporter {
  readonly all: (readonly [error: unknown, data: ReportData | undefined])[] = [];

  report(error: unknown, data?: ReportData) {
    this.all.push([error, data]);
    return REPORTED;
  }
}

/** Collects what Nest's log gets. */
const logged: unknown[][] = [];
const COLLECTING = { log: () => {}, warn: () => {}, error: (...values: unknown[]) => logged.push(values) };

beforeEach(() => {
  logged.length = 0;
  Logger.overrideLogger(COLLECTING);
});

const error = new Error('the export failed');

describe('report', () => {
  it('goes to the application that was opened last and is still open', () => {
    const [first, second] = [new Reports(), new Reports()];
    const leaves = [openReporter(first), openReporter(second)];
    const data = { tags: { job: 'export' }, user: { id: 7 } };

    const reported = report(error, data);
    leaves[1]?.();
    report(error);
    leaves[0]?.();

    expect(reported).toMatchObject({ digest: 'ABCD-1234' });
    expect(second.all).toEqual([[error, data]]);
    expect(first.all).toEqual([[error, {}]]);
  });

  it('passes tags and user on to the report of an application', () => {
    const contexts: unknown[] = [];
    const reporter = { report: async (_: unknown, context: object) => void contexts.push(context) };
    const recorder = new FailureRecorder(reporter, createLog('silent'), new Metrics(), '/');
    const data = { tags: { job: 'export' }, user: { id: 7 } };

    const { digest } = recorder.report(error, data);

    expect(contexts).toEqual([expect.objectContaining({ ...data, digest, request: null })]);
  });

  it('goes to the log of Nest from a provider after the end of its application, also beside another one', () => {
    const reports = new Reports();
    const leave = openReporter(reports);
    const leaveOther = openReporter(new Reports());
    const errors = whileOpen(reports);

    const reported = errors.report(error);
    leave();

    expect([reported, errors.report(error)]).toEqual([REPORTED, null]);
    expect(reports.all).toEqual([[error, {}]]);
    expect(logged).toEqual([[error, undefined, 'Errata']]);
    leaveOther();
  });

  it('goes to the log of Nest without an application', () => {
    expect(report(error)).toBeNull();
    expect(logged).toEqual([[error, undefined, 'Errata']]);
  });
});

it.each([
  [['Orders'], new Logger('Orders')],
  [[], new Logger()],
])('only logs what the application logs itself: %j', (context, logger) => {
  const reports = new Reports();
  const leave = openReporter(reports);

  logger.error(error);
  leave();

  expect(reports.all).toEqual([]);
  expect(logged).toEqual([[error, undefined, ...context]]);
});

it('logs what a library logs after the end of the application', () => {
  openReporter(new Reports())();

  new Logger('Scheduler').error(error);

  expect(logged).toEqual([[error, undefined, 'Scheduler']]);
});
