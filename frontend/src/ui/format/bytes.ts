const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const STEP = 1_024;

/** Formats a size, `3.1 MiB`: one decimal below ten, none above. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
