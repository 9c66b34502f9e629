import { MAX_MEMBERS } from '../digest/fault.ts';
import {
  callAt,
  entriesOf,
  isError,
  isList,
  isObject,
  listAt,
  readProperty,
  stringAt,
  textOf,
} from '../digest/thrown-value.ts';
import { headerEnd } from '../digest/v8-stack.ts';

/** Causes below a thrown error that a report holds, as far as Sentry shows them by default. */
export const MAX_CAUSES = 5;
/** Characters of a class name that Relay keeps (`Exception.ty`). */
const MAX_TYPE_LENGTH = 256;
/**
 * Properties of a thrown object that is no error, and characters of each name and text: the SDK keeps 100 KiB of them, and
 * takes a second for each MiB to see that it is more.
 */
const MAX_PROPERTIES = 100;
const MAX_TEXT_LENGTH = 1_024;
/** Levels of properties in properties, as the SDK shows them. */
const MAX_DEPTH = 3;

/**
 * Returns a copy of a thrown value for Sentry's SDK, whose reading throws where a property throws, a stack is no text or a
 * Symbol was thrown. The copy has only what the SDK reads, so that a report always fits into an event; and the SDK marks it in
 * place of the value, to capture it once: one error can fail many requests, and the client of the application must not
 * take this report for its own.
 */
export function readableError(thrown: unknown): unknown {
  if (isError(thrown)) return copyOf(thrown, 0, { membersLeft: MAX_MEMBERS });
  if (!isObject(thrown)) return typeof thrown === 'symbol' ? textOf(thrown) : thrown;
  return isPlain(thrown) ? plainCopy(thrown) : textOf(thrown);
}

/** Copies an error with its causes and the errors of a group. */
function copyOf(error: unknown, depth: number, group: { membersLeft: number }): Error {
  const message = stringAt(error, 'message') ?? '';
  const stack = stringAt(error, 'stack') ?? '';
  const name = stringAt(error, 'name') || stringAt(readProperty(error, 'constructor'), 'name') || 'Error';
  const copy = new Error(message);
  copy.name = name.slice(0, MAX_TYPE_LENGTH);
  // Without the lines of the message, which the SDK would read as frames.
  copy.stack = stack === '' ? '' : `${copy.name}\n${stack.slice(headerEnd(stack, message))}`;
  if (depth === MAX_CAUSES) return copy;
  const cause = readProperty(error, 'cause');
  if (isError(cause)) copy.cause = copyOf(cause, depth + 1, group);
  const errors = listAt(error, 'errors', group.membersLeft).filter(isError);
  group.membersLeft -= errors.length;
  const members = errors.map((each) => copyOf(each, depth + 1, group));
  return members.length === 0 ? copy : Object.assign(copy, { errors: members });
}

/** Returns whether the SDK lists the properties of an object; all others, such as an array, it takes as a text. */
function isPlain(thrown: object): boolean {
  try {
    return Object.prototype.toString.call(thrown) === '[object Object]';
  } catch {
    return false;
  }
}

/** Copies an object that is no error, with the name of its class. */
function plainCopy(thrown: object): object {
  const name = stringAt(readProperty(thrown, 'constructor'), 'name') ?? 'Object';
  const prototype: unknown = Object.create(Object.prototype, { constructor: { value: { name } } });
  const texts = ['name', 'message'].map((key) => [key, stringAt(thrown, key)?.slice(0, MAX_TEXT_LENGTH)]);
  const inherited = Object.fromEntries(texts.filter(([, text]) => text !== undefined));
  const properties = propertiesOf(thrown, MAX_DEPTH, { left: MAX_PROPERTIES });
  return Object.assign(Object.create(Object(prototype)) as object, inherited, properties);
}

function propertiesOf(value: object, depth: number, room: { left: number }): object {
  const entries = entriesOf(value).slice(0, room.left);
  room.left -= entries.length;
  return Object.fromEntries(
    entries.map(([name, each]) => [name.slice(0, MAX_TEXT_LENGTH), valueOf(each, depth - 1, room)]),
  );
}

/** Returns the value of a property. The SDK takes an error in it for the one that was thrown. */
function valueOf(value: unknown, depth: number, room: { left: number }): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT_LENGTH);
  if (isError(value)) return copyOf(value, MAX_CAUSES, { membersLeft: 0 });
  if (!isObject(value) || typeof value === 'function') return value;
  if (depth === 0) return `[${stringAt(readProperty(value, 'constructor'), 'name') ?? 'Object'}]`;
  // Such as the text of a Date.
  const json = callAt(value, 'toJSON') ?? value;
  if (!isObject(json)) return valueOf(json, depth, room);
  const properties = propertiesOf(json, depth, room);
  return isList(json) ? Object.values(properties) : properties;
}
