import { className } from './class-name.ts';
import { MAX_CAUSES, MAX_MESSAGE_LENGTH } from './fault.ts';
import type { Fault } from './fault.ts';
import { ownFrames } from './own-frames.ts';
import { v8Frames } from './v8-stack.ts';

/** pages.md: a digest of the error's own is kept if it matches. Such text is safe in a header and a log line. */
const OWN_DIGEST = /^[A-Za-z0-9_-]{1,64}$/;

/** Own keys named in the message of a thrown object that has none. */
const MAX_KEYS = 10;

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

/**
 * Reads whatever was thrown: errors of this and other realms, objects, strings, null, Proxies. Never throws;
 * a property whose getter throws counts as missing, and each one is read once.
 *
 * `root` is the application's directory, an absolute path or a file: URL. Of the several errors in an
 * AggregateError only its own `cause` is followed: their number and order are not the fault's.
 */
export function readError(thrown: unknown, root: string): Fault {
  return readChain(thrown, root, []);
}

function readChain(thrown: unknown, root: string, above: readonly unknown[]): Fault {
  if (!isObject(thrown)) return primitive(thrown as Primitive);
  const message = text(thrown, 'message');
  const stack = text(thrown, 'stack');
  const ownDigest = text(thrown, 'digest');
  const chain = [...above, thrown];
  const cause = read(thrown, 'cause');
  const isEnd = cause === undefined || cause === null || chain.includes(cause) || above.length === MAX_CAUSES;
  return {
    type: className(text(read(thrown, 'constructor'), 'name'), text(thrown, 'name')),
    code: text(thrown, 'code'),
    message: (message ?? (stack === null ? keysOf(thrown) : '')).slice(0, MAX_MESSAGE_LENGTH),
    frames: stack === null ? [] : ownFrames(v8Frames(stack, message ?? ''), root),
    cause: isEnd ? null : readChain(cause, root, chain),
    ownDigest: ownDigest !== null && OWN_DIGEST.test(ownDigest) ? ownDigest : null,
  };
}

/** A thrown string is its own message; numbers, null and undefined show only in the type what they are. */
function primitive(thrown: Primitive): Fault {
  const type = thrown === null ? 'null' : typeof thrown;
  const message = thrown === null || thrown === undefined ? '' : String(thrown);
  return {
    type,
    code: null,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
    frames: [],
    cause: null,
    ownDigest: null,
  };
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Reading may run a getter or a Proxy trap, and both may throw. */
function read(value: unknown, key: string): unknown {
  if (!isObject(value)) return undefined;
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

function text(value: unknown, key: string): string | null {
  const found = read(value, key);
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
