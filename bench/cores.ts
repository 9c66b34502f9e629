import { readFileSync } from 'node:fs';

/** The server alone has this core, with all its threads. */
export const SERVER_CORE = 0;
/** Loader, upstream and the benchmark itself share the other one; the results say how much of it they used. */
export const OTHER_CORE = 1;

/** Kernel ticks of CPU time per second, as /proc gives them (`getconf CLK_TCK`; 100 on every Linux of today). */
export const TICKS_PER_SECOND = 100;

/**
 * Seconds a core has worked so far, for anybody: user, nice, system, and what the host took for other guests
 * (proc(5), /proc/stat). Interrupts are left out: they count for no process.
 */
export function busySeconds(core: number): number {
  const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '';
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = line.split(' ').map(Number);
  return (user + nice + system + steal) / TICKS_PER_SECOND;
}
