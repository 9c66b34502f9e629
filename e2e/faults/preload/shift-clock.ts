import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/**
 * Preloaded into Errata: SIGUSR2 moves its wall clock one hour forward, SIGHUP one hour back, in all threads. The
 * monotonic clock does not change, as when the time of a machine is set. With BENCH_CLOCK_AHEAD_MS the process starts
 * that much later than it really does.
 */

const HOUR_MS = 3_600_000;
const KEY = 'bench-clock';
const RealDate = Date;
const aheadMs = Number(process.env['BENCH_CLOCK_AHEAD_MS'] ?? 0);

/** One number in memory that all threads share. */
function sharedOffset(): Float64Array {
  if (!isMainThread) return new Float64Array(getEnvironmentData(KEY) as SharedArrayBuffer);
  const memory = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  setEnvironmentData(KEY, memory);
  const offset = new Float64Array(memory);
  offset[0] = aheadMs;
  return offset;
}

const offsetMs = sharedOffset();

function nowMs(): number {
  return RealDate.now() + (offsetMs[0] ?? 0);
}

class ShiftedDate extends RealDate {
  constructor(...values: readonly unknown[]) {
    if (values.length === 0) super(nowMs());
    else super(...(values as [number]));
  }

  static override now(): number {
    return nowMs();
  }
}

Object.assign(globalThis, { Date: ShiftedDate });
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + aheadMs });

function shift(byMs: number): void {
  offsetMs[0] = (offsetMs[0] ?? 0) + byMs;
  process.stdout.write(`{"msg":"bench_clock","offsetMs":${offsetMs[0]}}\n`);
}

if (isMainThread) {
  process.on('SIGUSR2', () => shift(HOUR_MS));
  process.on('SIGHUP', () => shift(-HOUR_MS));
}
