import type { Sample, Series } from './series.ts';

/** What the rounds of a series come to. */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The rounds that count: those not void, or all where all are. */
function counting({ samples }: Series): readonly Sample[] {
  const good = samples.filter(({ usage }) => usage.voidReason === null);
  return good.length > 0 ? good : samples;
}

export function voidsOf({ samples }: Series): number {
  return samples.filter(({ usage }) => usage.voidReason !== null).length;
}

export function medianOf(series: Series, read: (sample: Sample) => number): number {
  return median(counting(series).map(read));
}

export function rateOf(series: Series): number {
  return medianOf(series, ({ perSecond }) => perSecond);
}

/** NaN where the mode does not count deliveries apart. */
export function deliveredOf(series: Series): number {
  return medianOf(series, ({ deliveredPerSecond }) => deliveredPerSecond ?? Number.NaN);
}

/** What a second of the server's CPU time yields; it says nearly the same on a busy machine as on a quiet one. */
export function yieldOf(series: Series): number {
  return medianOf(series, ({ perSecond, usage }) => perSecond / usage.server);
}

/** CPU time of the server for each envelope sent, by thread, most first, in microseconds. */
export function threadCosts(
  series: Series,
): readonly { readonly name: string; readonly microseconds: number }[] {
  const names = new Set(series.samples.flatMap(({ usage }) => usage.threads.map(({ name }) => name)));
  const cost = (name: string): number =>
    medianOf(series, ({ load, usage }) => {
      const seconds = usage.threads.find((thread) => thread.name === name)?.seconds ?? 0;
      return (seconds / load.requests) * 1e6;
    });
  return [...names]
    .map((name) => ({ name, microseconds: cost(name) }))
    .sort((one, other) => other.microseconds - one.microseconds);
}
