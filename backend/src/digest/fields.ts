/** An object with unknown members: a posted event consists of these at every depth. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** A number that is an object of JSON.rawJSON, because a double does not hold its digits; see scrub/exact-json.ts. */
export interface ExactNumber {
  readonly rawJSON: string;
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return JSON.isRawJSON(value);
}

/** Returns the text of a text or a number with all its digits; null for anything else. */
export function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isExactNumber(value) ? value.rawJSON : null;
}

/** Returns a number as a double; NaN for anything else. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return isExactNumber(value) ? Number(value.rawJSON) : NaN;
}

/** Returns the object at a path of members; an empty one where there is none. */
export function fieldsAt(value: unknown, ...path: readonly string[]): Fields {
  let at: unknown = value;
  for (const name of path) at = isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return isFields(at) ? at : {};
}

/** Returns the members of a list that are objects. */
export function objectsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}
