import type { FailureRecorder } from './failure-recorder.ts';

/**
 * Failures outside of any request: recorded like all others, then the process ends. Its state is unknown from then
 * on, and whoever runs it starts a new one; what it accepted is on disk.
 *
 * @param end drains and exits with status 1; called once, for the first failure.
 */
export function recordProcessFailures(
  recorder: FailureRecorder,
  end: () => Promise<void>,
  target: NodeJS.Process = process,
): void {
  let isEnding = false;
  const fail = (thrown: unknown, kind: 'uncaught_exception' | 'unhandled_rejection'): void => {
    recorder.recordFatal(thrown, kind);
    if (isEnding) return;
    isEnding = true;
    void end();
  };
  target.on('uncaughtException', (error) => fail(error, 'uncaught_exception'));
  target.on('unhandledRejection', (reason) => fail(reason, 'unhandled_rejection'));
}
