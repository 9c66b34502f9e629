import { scalarText } from '../../digest/fields.ts';

/**
 * Makes a text for a column: cut to `maxLength`, null where there is none. Removes NUL and replaces lone surrogates:
 * PostgreSQL refuses them, and one event must not make a whole batch fail.
 */
export function columnText(value: unknown, maxLength: number): string | null {
  const scalar = scalarText(value);
  if (scalar === null) return null;
  const text = scalar.slice(0, maxLength).replaceAll('\0', '').toWellFormed().trim();
  return text === '' ? null : text;
}
