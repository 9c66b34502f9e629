const NUMBER = new Intl.NumberFormat('en-GB');

export function formatCount(count: number): string {
  return NUMBER.format(count);
}

/** Formats a number with its noun: `1 event`, `12,481 events`. */
export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
