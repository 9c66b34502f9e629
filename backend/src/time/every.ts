/** A periodic job under way. */
export interface Job {
  /** Lets no further run start; a run under way goes on. */
  readonly stop: () => void;
}

export interface Schedule {
  /** Pause after a run, in ms. */
  readonly everyMs: number;
  /** Pause after a run that failed; `everyMs` without it. */
  readonly retryMs?: number;
  /** Whether the first run starts at once instead of after a pause. */
  readonly isAtOnce?: boolean;
}

/** Calls `run` after a pause; the result cancels it. */
export type After = (ms: number, run: () => void) => () => void;

const afterPause: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

/**
 * Repeats `work`: the next pause begins when a run ends, so that no run overlaps another one.
 *
 * @param onError receives the error of each failed run; the job goes on
 */
export function every(
  { everyMs, retryMs = everyMs, isAtOnce = false }: Schedule,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  after = afterPause,
): Job {
  let isStopped = false;
  let cancel = (): void => undefined;
  const pause = (ms: number): void => {
    if (!isStopped) cancel = after(ms, () => void run());
  };
  const run = async (): Promise<void> => {
    try {
      await work();
      pause(everyMs);
    } catch (error) {
      // After stop the store may be closed already, so that the last run fails: this is no fault.
      if (!isStopped) onError(error);
      pause(retryMs);
    }
  };
  if (isAtOnce) void run();
  else pause(everyMs);
  return {
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}
