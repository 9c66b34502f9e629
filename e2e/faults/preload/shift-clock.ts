/**
 * Preloaded into Errata: the wall clock of all its threads is BENCH_CLOCK_AHEAD_MS ahead. The monotonic clock does not
 * change, as when the time of a machine is set.
 */

const RealDate = Date;
const aheadMs = Number(process.env['BENCH_CLOCK_AHEAD_MS'] ?? 0);

class ShiftedDate extends RealDate {
  constructor(...values: readonly unknown[]) {
    if (values.length === 0) super(RealDate.now() + aheadMs);
    else super(...(values as [number]));
  }

  static override now(): number {
    return RealDate.now() + aheadMs;
  }
}

Object.assign(globalThis, { Date: ShiftedDate });
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + aheadMs });
