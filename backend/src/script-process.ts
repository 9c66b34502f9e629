import type { Worker } from 'node:worker_threads';
import type { ErrataOptions } from './open/options.ts';
import { startScrubWorker } from './relay/scrub-thread.ts';
import { startSpoolWorker } from './spool/spool-thread.ts';
import { startStoreWorker } from './store/event-store.ts';
import { DAY_MS } from './time/iso.ts';
import { REAL_TIME } from './time/time-source.ts';

/**
 * The process of an application without HTTP, such as a script: it ends when the application has nothing left to do, as without
 * Errata. So threads and timers of the parts do not keep it alive, but for the deadline of their close.
 */

/** Options of such an application. */
export const WITHOUT_HTTP = {
  isWithoutHttp: true,
  startSpool: unheld(startSpoolWorker),
  startStore: unheld(startStoreWorker),
  startScrub: unheld(startScrubWorker),
  time: {
    ...REAL_TIME,
    startTimer: (delayMs, onDue) => {
      const timer = setTimeout(onDue, delayMs).unref();
      return () => clearTimeout(timer);
    },
  },
} satisfies Partial<ErrataOptions>;

/** Returns a start of a thread that does not keep the process alive. */
function unheld<Args extends readonly unknown[]>(
  start: (...args: Args) => Worker,
): (...args: Args) => Worker {
  return (...args) => {
    const worker = start(...args);
    // A listener of messages, which its client adds at once, makes it keep the process alive again.
    queueMicrotask(() => worker.unref());
    return worker;
  };
}

/** Keeps the process alive while such threads open. */
export async function held<T>(work: Promise<T>): Promise<T> {
  const hold = setInterval(() => {}, DAY_MS);
  try {
    return await work;
  } finally {
    clearInterval(hold);
  }
}

/** Closes when the process has nothing left to do: a script need not. @returns a function that removes the listener. */
export function closeAtEnd(close: () => Promise<void>, target: NodeJS.Process = process): () => void {
  const onEnd = (): void => void close();
  target.once('beforeExit', onEnd);
  return () => void target.off('beforeExit', onEnd);
}
