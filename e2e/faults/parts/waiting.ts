import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** Polls until a condition holds; returns whether it did in time. */
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

/** Polls as {@link waitFor} does. @throws when the condition did not hold in time: the experiment cannot continue. */
export async function mustCome(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  if (!(await waitFor(condition, timeoutMs))) throw new Error(`${what}: not within ${timeoutMs / 1_000} s`);
}

/** Returns the milliseconds since `startedAtMs` of the monotonic clock. */
export function since(startedAtMs: number): number {
  return performance.now() - startedAtMs;
}
