/** All pages of a list, from its beginning. */
export async function pages<P extends { readonly next: string | null }>(
  page: (cursor: string | null) => Promise<P | undefined>,
): Promise<readonly P[]> {
  const all: P[] = [];
  for (let cursor: string | null = null; ;) {
    const next: P | undefined = await page(cursor);
    if (next === undefined) return all;
    all.push(next);
    cursor = next.next;
    if (cursor === null) return all;
  }
}
