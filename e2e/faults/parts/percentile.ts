/** Returns a percentile of times, ms; 50 is the median. */
export function percentile(times: readonly { readonly ms: number }[], percent: number): number {
  const sorted = times.map(({ ms }) => ms).toSorted((one, other) => one - other);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}
