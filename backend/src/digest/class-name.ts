/** Longest class name kept. */
const MAX_LENGTH = 200;

/** Constructors that say nothing about the fault: the name of the instance does. */
const GENERIC: ReadonlySet<string> = new Set(['Error', 'Object', 'DOMException', 'NodeError', 'SystemError']);

/** One or two characters are what a minifier leaves. */
const MINIFIED = /^.{0,2}$/s;

/**
 * The class of an error: the constructor's name if it says more than `name`.
 *
 * `class OutOfStock extends Error {}` has the name "Error", so its constructor counts; a DOMException named
 * "AbortError" or a plain Error renamed to "ValidationError" says more with its name.
 */
export function className(constructorName: string | null, name: string | null): string {
  const usable = constructorName === null || MINIFIED.test(constructorName) ? '' : constructorName;
  const chosen = usable === '' || (GENERIC.has(usable) && name !== null && name !== '') ? name : usable;
  return (chosen ?? usable).slice(0, MAX_LENGTH);
}
