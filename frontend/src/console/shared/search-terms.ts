/** Returns a search that also has this term of `at:`, in place of another one. */
export function withTime(search: string, term: string): string {
  const others = search.replaceAll(/"[^"]*"|(?<=^|\s)at:\S*\s*/g, (part) =>
    part.startsWith('"') ? part : '',
  );
  return `${others.trim()} ${term}`.trim();
}
