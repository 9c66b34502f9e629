import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** Looks until a condition holds; whether it came to hold in time. */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  lookEveryMs: number = LOOK_EVERY_MS,
): Promise<boolean> {
  const giveUpAtMs = performance.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() > giveUpAtMs) return false;
    await delay(lookEveryMs);
  }
}

/** As {@link waitFor}. @throws when it did not come to hold: the experiment cannot go on. */
export async function mustCome(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  if (!(await waitFor(condition, timeoutMs))) throw new Error(`${what}: not within ${timeoutMs / 1_000} s`);
}

/** Milliseconds since `startedAtMs` of the monotonic clock. */
export function since(startedAtMs: number): number {
  return performance.now() - startedAtMs;
}
