import { DAY_MS, HOUR_MS } from '../time/iso.ts';

/** Nothing in the store is old so soon after the start of the process: a clock that is wrong at boot is set within this time. */
export const SETTLING_MS = HOUR_MS;
/** Pause before the start that is believed at once, as a night or a maintenance. */
const PAUSE_MS = DAY_MS;
/** How fast a longer pause, or a clock that was behind, is caught up: in as much time as it was. */
const CATCH_UP = 2;
/** No right clock shows an earlier time to this version; one that is not set yet shows 1970, or a year before this one. */
const EARLIEST_MS = Date.parse('2026-01-01T00:00:00Z');

/** The clocks of this process, ms. */
export interface Clocks {
  /** Since the epoch, by the clock of the machine, which may be wrong and may be set. */
  readonly wallMs: () => number;
  /** Since the start of the process. */
  readonly uptimeMs: () => number;
}

const CLOCKS: Clocks = { wallMs: Date.now, uptimeMs: () => performance.now() };

/** A time that was believed. */
interface Believed {
  readonly ms: number;
  readonly uptimeMs: number;
  /** Time after it that counts at once. */
  readonly pauseMs: number;
}

/**
 * The time that ages are measured at before something is deleted by its age. It must never follow a clock that jumps ahead,
 * which would delete all that is stored: it moves at most twice as fast as the time that passes.
 */
export class AgeClock {
  readonly #settlingMs: number;
  readonly #clocks: Clocks;
  #latest: Believed | null;

  /** @param lastMs a time that was believed before the start. Without one the clock is believed after the settling time. */
  constructor(settlingMs: number, lastMs: number | null = null, clocks = CLOCKS) {
    this.#settlingMs = settlingMs;
    this.#clocks = clocks;
    this.#latest = lastMs === null ? null : { ms: lastMs, uptimeMs: 0, pauseMs: PAUSE_MS };
  }

  /** Returns ms since the epoch; 0 as long as nothing may be old. */
  nowMs(): number {
    const [wallMs, uptimeMs] = [this.#clocks.wallMs(), this.#clocks.uptimeMs()];
    if (uptimeMs < this.#settlingMs || wallMs < EARLIEST_MS) return 0;
    const nowMs = Math.floor(Math.min(wallMs, this.#limitMs(uptimeMs)));
    // A clock that is set back for a while must not be the new beginning.
    if (this.#latest === null || nowMs > this.#latest.ms) this.#latest = { ms: nowMs, uptimeMs, pauseMs: 0 };
    return nowMs;
  }

  #limitMs(uptimeMs: number): number {
    if (this.#latest === null) return Infinity;
    return this.#latest.ms + this.#latest.pauseMs + CATCH_UP * (uptimeMs - this.#latest.uptimeMs);
  }
}

/**
 * Returns the time of an {@link AgeClock} for the rows of the store.
 *
 * @param lastMs returns the last time that was believed; asked at once, because a store without one answers with that of its
 * newest event, and later events have the time of the clock that may be wrong.
 */
export function storeAgeClock(lastMs: () => Promise<number | null>, clocks = CLOCKS): () => Promise<number> {
  let asked: Promise<AgeClock> | undefined;
  const ask = async (): Promise<AgeClock> => new AgeClock(SETTLING_MS, await lastMs(), clocks);
  const clock = (): Promise<AgeClock> =>
    (asked ??= ask().catch((error: unknown) => {
      asked = undefined;
      throw error;
    }));
  clock().catch(() => undefined);
  return async () => (await clock()).nowMs();
}
