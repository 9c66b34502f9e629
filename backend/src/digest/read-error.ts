import { types } from 'node:util';
import { className } from './class-name.ts';
import { MAX_CAUSES, MAX_MEMBERS, MAX_MESSAGE_LENGTH } from './fault.ts';
import type { Fault } from './fault.ts';
import { ownFrames } from './own-frames.ts';
import { v8Frames } from './v8-stack.ts';

/** Form of an error's own digest. Such text is safe in a header and a log line. */
const OWN_DIGEST = /^[A-Za-z0-9_-]{1,64}$/;

/** Keys listed as the message of a thrown object without one. */
const MAX_KEYS = 10;

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

/**
 * Reads any thrown value: errors of this and other realms, objects, strings, null, Proxies. Never throws; a property
 * whose getter throws counts as missing, and each property is read once.
 *
 * `root` is the application's directory, an absolute path or a file: URL. The errors in a list `errors` are members, as the
 * node SDK reads them: of an AggregateError and of any other class with such a list.
 */
export function readError(thrown: unknown, root: string): Fault {
  return readChain(thrown, [], { root, membersLeft: MAX_MEMBERS });
}

/** What the errors below one thrown value share. */
interface Reading {
  readonly root: string;
  membersLeft: number;
}

function readChain(thrown: unknown, above: readonly unknown[], reading: Reading): Fault {
  if (!isObject(thrown)) return primitive(thrown as Primitive);
  const message = stringAt(thrown, 'message');
  const stack = stringAt(thrown, 'stack');
  const ownDigest = stringAt(thrown, 'digest');
  const chain = [...above, thrown];
  const cause = readProperty(thrown, 'cause');
  const isEnd = cause === undefined || cause === null || chain.includes(cause) || above.length === MAX_CAUSES;
  return {
    type: className(stringAt(readProperty(thrown, 'constructor'), 'name'), stringAt(thrown, 'name')),
    code: stringAt(thrown, 'code'),
    message: (message ?? (stack === null ? keysOf(thrown) : '')).slice(0, MAX_MESSAGE_LENGTH),
    frames: stack === null ? [] : ownFrames(v8Frames(stack, message ?? ''), reading.root),
    cause: isEnd ? null : readChain(cause, chain, reading),
    members: membersOf(thrown, chain, reading),
    ownDigest: ownDigest !== null && OWN_DIGEST.test(ownDigest) ? ownDigest : null,
  };
}

function membersOf(thrown: object, chain: readonly unknown[], reading: Reading): readonly Fault[] {
  const errors = chain.length > MAX_CAUSES ? undefined : readProperty(thrown, 'errors');
  const members: Fault[] = [];
  for (let at = 0; Array.isArray(errors) && at < Math.min(errors.length, MAX_MEMBERS); at += 1) {
    const error = readProperty(errors, String(at));
    if (!types.isNativeError(error) || chain.includes(error) || reading.membersLeft === 0) continue;
    reading.membersLeft -= 1;
    members.push(readChain(error, chain, reading));
  }
  return members;
}

/** Makes the fault of a thrown primitive: its text is the message; null and undefined appear only as the type. */
function primitive(thrown: Primitive): Fault {
  const type = thrown === null ? 'null' : typeof thrown;
  const message = thrown === null || thrown === undefined ? '' : String(thrown);
  return {
    type,
    code: null,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
    frames: [],
    cause: null,
    members: [],
    ownDigest: null,
  };
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Returns a property of any value; undefined where a getter or a Proxy trap throws. */
export function readProperty(value: unknown, key: string): unknown {
  if (!isObject(value)) return undefined;
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

function stringAt(value: unknown, key: string): string | null {
  const found = readProperty(value, key);
  return typeof found === 'string' ? found : null;
}

function keysOf(thrown: object): string {
  try {
    const keys = Array.isArray(thrown) || ArrayBuffer.isView(thrown) ? [] : Object.keys(thrown);
    return keys.length === 0 ? '' : `keys ${keys.toSorted().slice(0, MAX_KEYS).join(', ')}`;
  } catch {
    return '';
  }
}
