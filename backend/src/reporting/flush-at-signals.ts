/** Signals of supervisors and terminals that end a process. */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Commits the last reports when a signal ends another application, which needs no handler of its own for it.
 *
 * A listener replaces Node's own end at a signal. Where no other one listens, this one leaves after the flush and sends the
 * signal again, which ends the process. Where the application listens, it decides about its process itself.
 *
 * @param flush never rejects. @returns a function that removes the listeners.
 */
export function flushAtSignals(flush: () => Promise<void>, target: NodeJS.Process = process): () => void {
  const leave = (): void => {
    for (const signal of SIGNALS) target.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const isAlone = target.listenerCount(signal) === 1;
    void flush().then(() => {
      if (!isAlone || target.listenerCount(signal) !== 1) return;
      leave();
      target.kill(target.pid, signal);
    });
  };
  // As the first: a listener that listens once is gone when the next one runs.
  for (const signal of SIGNALS) target.prependListener(signal, onSignal);
  return leave;
}
