import type { ReportedError } from './error-reporter.ts';
import type { FailureRecorder } from './failure-recorder.ts';

type ProcessEvent = 'uncaughtException' | 'unhandledRejection';
type Listener = (thrown: unknown, origin: ProcessEvent) => void;

/**
 * Records failures outside of requests and ends the process, because its state is unknown afterwards. The supervisor
 * (Kubernetes, Docker, systemd) starts a new process; accepted envelopes are on disk.
 *
 * An application that listens to these events itself decides about its process: the failure is only recorded. Without a
 * listener of its own for rejections, its listener for exceptions gets them, as from Node.
 *
 * @param end ends the process with status 1; called once, for the first failure.
 * @returns a function that removes the listeners.
 */
export function recordProcessFailures(
  recorder: FailureRecorder,
  end: (failure: ReportedError) => Promise<void>,
  target: NodeJS.Process = process,
): () => void {
  let isEnding = false;
  const endOnce = (failure: ReportedError): void => {
    if (isEnding) return;
    isEnding = true;
    void end(failure);
  };
  const others = (event: ProcessEvent): readonly Listener[] =>
    (target.listeners(event) as Listener[]).filter((each) => each !== onException && each !== onRejection);
  const onException = (error: unknown): void => {
    const failure = recorder.recordFatal(error, 'uncaught_exception');
    if (others('uncaughtException').length === 0) endOnce(failure);
  };
  const onRejection = (reason: unknown): void => {
    const failure = recorder.recordFatal(reason, 'unhandled_rejection');
    if (others('unhandledRejection').length > 0) return;
    const listeners = others('uncaughtException');
    for (const listener of listeners) listener(reason, 'unhandledRejection');
    if (listeners.length === 0) endOnce(failure);
  };
  target.on('uncaughtException', onException);
  target.on('unhandledRejection', onRejection);
  return () => {
    target.off('uncaughtException', onException);
    target.off('unhandledRejection', onRejection);
  };
}
