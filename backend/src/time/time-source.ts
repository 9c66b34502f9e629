import { unmovedWallMs } from './monotonic-clock.ts';

/** Calls `onDue` once after a delay, ms. Returns a function that cancels the call. */
export type StartTimer = (delayMs: number, onDue: () => void) => () => void;

/** The clocks and timers of a part that waits. */
export interface TimeSource {
  /** Monotonic clock, ms. */
  readonly nowMs: () => number;
  /** Milliseconds since the epoch, unaffected when the wall clock is set. */
  readonly wallMs: () => number;
  readonly startTimer: StartTimer;
  /** Calls `onTurn` in this turn of the event loop, or the next one, once sockets and messages are handled. */
  readonly nextTurn: (onTurn: () => void) => void;
}

export const startTimer: StartTimer = (delayMs, onDue) => {
  const timer = setTimeout(onDue, delayMs);
  return () => clearTimeout(timer);
};

export const REAL_TIME: TimeSource = {
  nowMs: () => performance.now(),
  wallMs: unmovedWallMs,
  startTimer,
  nextTurn: (onTurn) => void setImmediate(onTurn),
};
