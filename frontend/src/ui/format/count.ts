const NUMBER = new Intl.NumberFormat('en-GB');

export function formatCount(count: number): string {
  return NUMBER.format(count);
}

/** `1 occurrence`, `12,481 occurrences`. */
export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
