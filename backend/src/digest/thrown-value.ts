import { types } from 'node:util';

/**
 * Safe reading of a thrown value. Anything can be thrown: a revoked Proxy, a Symbol, an error whose getters throw. Neither
 * `instanceof`, `String()` nor a property of it is read in another way than by these functions, which never throw.
 */

/** Returns a property of any value; undefined where a getter or a Proxy trap throws. */
export function readProperty(value: unknown, key: string): unknown {
  if (!isObject(value)) return undefined;
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

/** Returns what a method without arguments returns; undefined where there is none or it throws. */
export function callAt(value: unknown, key: string): unknown {
  const method = readProperty(value, key);
  try {
    return typeof method === 'function' ? Reflect.apply(method, value, []) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a property that is a string, else null. */
export function stringAt(value: unknown, key: string): string | null {
  const found = readProperty(value, key);
  return typeof found === 'string' ? found : null;
}

/** Returns the first items of a property that is a list; undefined stands for those that cannot be read. */
export function listAt(value: unknown, key: string, max: number): readonly unknown[] {
  const list = readProperty(value, key);
  const length = isList(list) ? Number(readProperty(list, 'length')) : 0;
  return Array.from({ length: Math.min(length, max) }, (_, at) => readProperty(list, String(at)));
}

/** Returns the own enumerable properties of any value; undefined stands for those whose getter throws. */
export function entriesOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return keysOf(value).map((name) => [name, readProperty(value, name)]);
}

/** Returns the names of the own enumerable properties of any value. */
export function keysOf(value: unknown): readonly string[] {
  try {
    return isObject(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

/** Returns whether a value is an instance of a class, as `instanceof` does. */
export function isInstance<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/** Returns whether a value is an error of this or another realm. */
export function isError(value: unknown): value is Error {
  return types.isNativeError(value) || isInstance(value, Error);
}

/** Returns whether a value is an array of this or another realm; a revoked Proxy is none. */
export function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Returns the text of any value; that of its type where it has none. */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `[${typeof value}]`;
  }
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
