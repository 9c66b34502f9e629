import { DAY_MS, HOUR_MS } from '../time/iso.ts';
import { unmovedWallMs } from '../time/monotonic-clock.ts';

/** Nothing is old so soon after the start of the process: a clock that is wrong at boot is set within this time. */
const SETTLING_MS = HOUR_MS;
/** Time between the newest event and the start that is believed, as a night without errors. Old events stay longer by the rest. */
const QUIET_MS = DAY_MS;

/** The clocks of this process, ms. */
export interface Clocks {
  /** Since the epoch, by the clock of the machine, which may be set. */
  readonly wallMs: () => number;
  /** Since the epoch; see {@link unmovedWallMs}. */
  readonly unmovedMs: () => number;
  /** Since the start of the process. */
  readonly uptimeMs: () => number;
}

const CLOCKS: Clocks = { wallMs: Date.now, unmovedMs: unmovedWallMs, uptimeMs: () => performance.now() };

/**
 * Returns the time, ms since the epoch, that ages are measured at before something is deleted by its age. It never follows
 * a clock that jumps ahead, which would delete all that is stored; and it is 0 in the first hour.
 *
 * @param newestMs when the newest event was received that was stored before the start.
 */
export function ageNowMs(newestMs = Infinity, { wallMs, unmovedMs, uptimeMs } = CLOCKS): number {
  if (uptimeMs() < SETTLING_MS) return 0;
  return Math.min(wallMs(), unmovedMs(), newestMs + QUIET_MS + uptimeMs());
}

/**
 * Returns {@link ageNowMs} for the rows of the store.
 *
 * @param newestReceivedMs asked at once: an event that arrives later has the time of the clock that may be wrong.
 */
export function ageClock(
  newestReceivedMs: () => Promise<number | null>,
  clocks = CLOCKS,
): () => Promise<number> {
  let asked: Promise<number | null> | undefined;
  const newest = (): Promise<number | null> =>
    (asked ??= newestReceivedMs().catch((error: unknown) => {
      asked = undefined;
      throw error;
    }));
  newest().catch(() => undefined);
  return async () => ageNowMs((await newest()) ?? Infinity, clocks);
}
