import { Logger } from '@nestjs/common';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { type ErrorReporter, openReporter, report, type ReportData } from './error-reporter.ts';
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

describe('report', () => {
  const error = new Error('the export failed');

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

  it('goes to the log of Nest without an application', () => {
    expect(report(error)).toBeNull();
    expect(logged).toEqual([[error, undefined, 'Errata']]);
  });
});

const thrown = new TypeError('the mail has no sender');
const rebuilt = expect.objectContaining({
  name: 'TypeError',
  message: thrown.message,
  stack: thrown.stack,
}) as Error;

describe.each([
  ['a logger of the application', (): void => Logger.overrideLogger(COLLECTING)],
  ['no logger', (): void => Logger.overrideLogger(false)],
])('with %s', (_, override) => {
  it.each([
    ['a job', 'Scheduler', [thrown], [thrown]],
    ['a job that throws no Error', 'Scheduler', ['no sender'], ['no sender']],
    ['a listener', 'Event', [thrown.message, thrown.stack], [rebuilt]],
    ['a listener that throws no Error', 'Event', [undefined, undefined], [undefined]],
    ['the application', 'Orders', [thrown], []],
    ['the application, without a name', undefined, [thrown.message, thrown.stack], []],
  ] as const)('reports what the library of %s logs, and logs it', (__, name, values, expected) => {
    const reports = new Reports();
    const leave = openReporter(reports);
    override();
    const logger = name === undefined ? new Logger() : new Logger(name);

    logger.error(...(values as unknown as Parameters<Logger['error']>));
    leave();
    logger.error('after the end');

    expect(reports.all.map(([error]) => error)).toEqual(expected);
    expect(reports.all.map(([, data]) => data)).toEqual(expected.map(() => ({ tags: { logger: name } })));
    expect(logged.slice(0, -1).map(([value]) => value)).toEqual(logged.length === 0 ? [] : [values[0]]);
  });
});
