/** An object of unknown members: what a posted event is made of, at every depth. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a path of members; an empty one where there is none. */
export function fieldsAt(value: unknown, ...path: readonly string[]): Fields {
  let at: unknown = value;
  for (const name of path) at = isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return isFields(at) ? at : {};
}

/** A list's members that are objects. */
export function objectsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/**
 * A text ready for a column: cut to `maxLength`, null when there is none. NUL and lone surrogates go: PostgreSQL
 * refuses them, and one event must not make a whole batch fail.
 */
export function textOf(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).slice(0, maxLength).replaceAll('\0', '').toWellFormed().trim();
  return text === '' ? null : text;
}
