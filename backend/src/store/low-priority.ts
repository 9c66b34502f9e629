import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** As `nice -n 10`: a tenth of the processor while others want it, all of it while nobody does. */
const NICENESS = 10;

/**
 * Lets this thread yield to the others of the process: intake comes first, an envelope refused is lost, one digested
 * later is not. Linux takes a thread's id where POSIX means a process (setpriority(2), notes); where there is no such
 * thing, as on macOS, the threads stay equal.
 */
export function lowerPriority(): void {
  try {
    const thread = /\/task\/(?<id>\d+)$/.exec(readlinkSync('/proc/thread-self'))?.groups?.['id'];
    if (thread !== undefined) setPriority(Number(thread), NICENESS);
  } catch {
    // No /proc, or it may not be changed: a courtesy, not a promise.
  }
}
