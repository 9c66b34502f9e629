import { types } from 'node:util';
import { className } from './class-name.ts';
import { MAX_CAUSES, MAX_MEMBERS, MAX_MESSAGE_LENGTH } from './fault.ts';
import type { Fault } from './fault.ts';
import { ownFrames } from './own-frames.ts';
import { isList, isObject, keysOf, listAt, readProperty, stringAt } from './thrown-value.ts';
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
    message: (message ?? (stack === null ? namesOf(thrown) : '')).slice(0, MAX_MESSAGE_LENGTH),
    frames: stack === null ? [] : ownFrames(v8Frames(stack, message ?? ''), reading.root),
    cause: isEnd ? null : readChain(cause, chain, reading),
    members: membersOf(thrown, chain, reading),
    ownDigest: ownDigest !== null && OWN_DIGEST.test(ownDigest) ? ownDigest : null,
  };
}

function membersOf(thrown: object, chain: readonly unknown[], reading: Reading): readonly Fault[] {
  const errors = chain.length > MAX_CAUSES ? [] : listAt(thrown, 'errors', MAX_MEMBERS);
  const members: Fault[] = [];
  for (const error of errors) {
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

/** Names the properties of a thrown object that has no message. */
function namesOf(thrown: object): string {
  if (isList(thrown) || ArrayBuffer.isView(thrown)) return '';
  const keys = keysOf(thrown);
  return keys.length === 0 ? '' : `keys ${keys.toSorted().slice(0, MAX_KEYS).join(', ')}`;
}
