/** The address of a page of a list; null is the first. */
export function pagePath(path: string, cursor: string | null): string {
  return cursor === null ? path : `${path}?cursor=${encodeURIComponent(cursor)}`;
}
