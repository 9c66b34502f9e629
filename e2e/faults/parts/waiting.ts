import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** Stops a wait that would never end. It is no limit of a test: on a loaded machine everything may take this long. */
export const WATCHDOG_MS = 120_000;

/** Polls until a condition holds. @throws when the watchdog ends the wait: the experiment cannot continue. */
export async function mustCome(
  what: string,
  condition: () => boolean | Promise<boolean>,
  watchdogMs = WATCHDOG_MS,
): Promise<void> {
  const giveUpAtMs = performance.now() + watchdogMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAtMs) throw new Error(`${what}: not within ${watchdogMs / 1_000} s`);
    await delay(LOOK_EVERY_MS);
  }
}

/** Returns the milliseconds since `startedAtMs` of the monotonic clock. */
export function since(startedAtMs: number): number {
  return performance.now() - startedAtMs;
}
