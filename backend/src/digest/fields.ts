/** An object with unknown members: a posted event consists of these at every depth. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
