import { isFields } from '../../digest/fields.ts';

/**
 * Makes a text of any JSON value, as Relay's JsonLenientString does: SDKs of languages without static types send numbers,
 * lists and objects as the value of an exception or a parameter. Members are sorted, because some languages iterate over
 * maps in any order and a digest must not depend on it. Null where there is no value.
 */
export function lenientText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value, inOrder);
}

function inOrder(_key: string, value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
