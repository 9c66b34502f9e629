import { EventEmitter } from 'node:events';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { ReportedError } from './error-reporter.ts';
import { FailureRecorder } from './failure-recorder.ts';
import { recordProcessFailures } from './process-failures.ts';

describe('recordProcessFailures', () => {
  let target: EventEmitter;
  let reports: unknown[];
  let ends: ReportedError[];
  let leave: () => void;

  beforeEach(() => {
    target = new EventEmitter();
    reports = [];
    ends = [];
    const reporter = { report: async (thrown: unknown) => void reports.push(thrown) };
    const recorder = new FailureRecorder(reporter, createLog('silent'), new Metrics(), '/');
    const end = async (failure: ReportedError): Promise<void> => void ends.push(failure);
    leave = recordProcessFailures(recorder, end, target as NodeJS.Process);
  });

  it.each(['uncaughtException', 'unhandledRejection'])(
    'records an event %s, and ends the process after it',
    (event) => {
      target.emit(event, 'first');
      target.emit(event, 'second');

      expect(reports).toEqual(['first', 'second']);
      expect(ends).toHaveLength(1);
    },
  );

  it.each(['uncaughtException', 'unhandledRejection'])(
    'only records an event %s of a process that listens itself',
    (event) => {
      const seen: unknown[] = [];
      target.on(event, (thrown) => seen.push(thrown));

      target.emit(event, 'theirs');

      expect([reports, seen, ends]).toEqual([['theirs'], ['theirs'], []]);
    },
  );

  it('passes a rejection on to a process that listens to exceptions only, as Node does', () => {
    const seen: unknown[] = [];
    target.on('uncaughtException', (thrown, origin) => seen.push(thrown, origin));

    target.emit('unhandledRejection', 'theirs');

    expect([reports, seen, ends]).toEqual([['theirs'], ['theirs', 'unhandledRejection'], []]);
  });

  it('leaves no listener behind', () => {
    leave();

    expect(target.eventNames()).toEqual([]);
  });
});
