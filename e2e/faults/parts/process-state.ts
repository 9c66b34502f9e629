import { readFileSync } from 'node:fs';

/** Returns the resident memory in MiB: now and at its peak (proc(5): VmRSS, VmHWM). */
export function memoryOf(pid: number): { readonly nowMiB: number; readonly peakMiB: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024;
  return { nowMiB: read('VmRSS'), peakMiB: read('VmHWM') };
}

/** Returns the least-squares slope of values that were read at equal intervals: the change per step. */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let product = 0;
  let square = 0;
  for (const [index, value] of values.entries()) {
    product += (index - middle) * (value - mean);
    square += (index - middle) ** 2;
  }
  return product / square;
}
