import { timeoutManager } from '@tanstack/react-query';

const running = new Map<number, { readonly delayMs: number; readonly call: () => void }>();
let lastId = 0;

timeoutManager.setTimeoutProvider<number>({
  setTimeout: (call, delayMs) => window.setTimeout(call, delayMs),
  clearTimeout: (id) => window.clearTimeout(id),
  setInterval: (call, delayMs) => {
    lastId += 1;
    running.set(lastId, { delayMs, call });
    return lastId;
  },
  clearInterval: (id) => void running.delete(Number(id)),
});

/** The intervals at which queries load again, ms. They pass only when a test calls {@link passInterval}. */
export function queryIntervals(): readonly number[] {
  return [...running.values()].map(({ delayMs }) => delayMs);
}

/** Calls the functions that are due after an interval of this length. */
export function passInterval(delayMs: number): void {
  for (const interval of running.values()) if (interval.delayMs === delayMs) interval.call();
}
