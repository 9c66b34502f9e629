import { isRecord } from './settings.ts';

/**
 * Reads thrown values. Any value can be thrown, and one that is read can throw again: by a getter, a proxy or `toString`. Then
 * its report would be lost, so all code that reads one does it by these functions, which never throw.
 */

/** Characters of a message or a stack: ten times the usual length, and a small part of an origin's 5 MiB. */
const MAX_TEXT = 16_384;
const MAX_CAUSES = 5;
/** For what throws when it is read. */
const UNREADABLE = '(a value that cannot be read)';

/** Returns a field of a thrown value; undefined without one, and for one that cannot be read. */
export function fieldOf(thrown: unknown, name: string): unknown {
  try {
    return isRecord(thrown) ? thrown[name] : undefined;
  } catch {
    return undefined;
  }
}

/** Converts an error to plain fields, another thrown value to its text; {@link revive} makes an error of them. */
export function flatten(thrown: unknown, depth = 0): unknown {
  if (!isError(thrown)) return textOf(thrown);
  const [name = 'Error', message = UNREADABLE, stack = '', cause] = ['name', 'message', 'stack', 'cause'].map(
    (field) => fieldOf(thrown, field),
  );
  return {
    name: textOf(name),
    message: textOf(message),
    stack: textOf(stack),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: flatten(cause, depth + 1) }),
  };
}

/** Converts plain fields of {@link flatten}, or what another version has stored, to an error or a text. */
export function revive(plain: unknown): unknown {
  if (!isRecord(plain)) return textOrEmpty(plain);
  const error = errorWith(
    textOrEmpty(plain['name']),
    textOrEmpty(plain['message']),
    textOrEmpty(plain['stack']),
  );
  if ('cause' in plain) error.cause = revive(plain['cause']);
  return error;
}

/** Returns an error that was thrown elsewhere: its stack does not name this file. */
export function errorWith(name: string, message: string, stack = ''): Error {
  return Object.assign(new Error(message), { name, stack });
}

export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isError(thrown: unknown): boolean {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

function textOf(value: unknown): string {
  try {
    return String(value).slice(0, MAX_TEXT);
  } catch {
    return UNREADABLE;
  }
}
