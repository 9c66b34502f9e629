import { unmovedWallMs } from '../time/monotonic-clock.ts';

/** A limit is looked at again no sooner, not in a loop, and no later: Node fires timers of 25 days at once. */
const MIN_HOLD_MS = 100;
const MAX_HOLD_MS = 24 * 3_600_000;

/** After what time to look again at a limit that ends then, wall clock. */
export function holdMs(untilMs: number): number {
  return Math.min(Math.max(untilMs - unmovedWallMs(), MIN_HOLD_MS), MAX_HOLD_MS);
}
