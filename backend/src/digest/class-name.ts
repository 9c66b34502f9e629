/** Longest class name in a digest. */
const MAX_LENGTH = 200;

/** Constructors that identify no fault: the `name` of the instance does. */
const GENERIC: ReadonlySet<string> = new Set(['Error', 'Object', 'DOMException', 'NodeError', 'SystemError']);

/** Minifiers produce names of one or two characters. */
const MINIFIED = /^.{0,2}$/s;

/**
 * Returns the class of an error: the constructor's name where it is more specific than `name`.
 *
 * An instance of `class OutOfStock extends Error {}` has the name "Error", so its constructor counts. The name counts for
 * a DOMException named "AbortError" and for a plain Error renamed to "ValidationError".
 */
export function className(constructorName: string | null, name: string | null): string {
  const usable = constructorName === null || MINIFIED.test(constructorName) ? '' : constructorName;
  const chosen = usable === '' || (GENERIC.has(usable) && name !== null && name !== '') ? name : usable;
  return (chosen ?? usable).slice(0, MAX_LENGTH);
}
