import type { FailureRecorder } from './failure-recorder.ts';

/**
 * Records failures outside of requests and ends the process, because its state is unknown afterwards. The supervisor
 * (Kubernetes, Docker, systemd) starts a new process; accepted envelopes are on disk.
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
