/** Returns the term of a search for a value; null for one that cannot be quoted. */
export function searchTerm(field: string, value: string): string | null {
  if (!value.includes('"')) return `${field}:${/\s/.test(value) ? `"${value}"` : value}`;
  return /^"|\s/.test(value) ? null : `${field}:${value}`;
}
