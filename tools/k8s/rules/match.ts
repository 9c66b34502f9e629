/** A value, a condition, or an object of which some fields are known. A list is complete. */
export type Expected =
  | string
  | number
  | boolean
  | undefined
  | ((found: unknown) => boolean)
  | { readonly [key: string]: Expected }
  | readonly Expected[];

/** Lists the paths of the values that differ. */
export function mismatches(expected: Expected, found: unknown, path: string): readonly string[] {
  if (typeof expected === 'object') {
    const fields: object = typeof found === 'object' && found !== null ? found : {};
    const wanted = Array.isArray(expected) ? { ...expected, length: expected.length } : expected;
    return Object.entries(wanted).flatMap(([key, each]: [string, Expected]) =>
      mismatches(each, Reflect.get(fields, key), `${path}/${key}`),
    );
  }
  const isMet = typeof expected === 'function' ? expected(found) : expected === found;
  const text = typeof expected === 'function' ? 'is not allowed' : `is not ${JSON.stringify(expected)}`;
  return isMet ? [] : [`${path}: ${JSON.stringify(found)} ${text}`];
}
