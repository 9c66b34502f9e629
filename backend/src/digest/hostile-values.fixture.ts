/** Values whose reading throws where a careless reader does not expect it. */

const refuse = (): never => {
  throw new Error('the trap failed');
};

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Makes properties of an object throw. */
export function unreadable<T extends object>(target: T, ...names: readonly string[]): T {
  const property = { enumerable: true, get: refuse };
  return Object.defineProperties(target, Object.fromEntries(names.map((name) => [name, property])));
}

/** Returns an object that holds itself. */
function circular<T extends object>(target: T, name: string): T {
  return Object.assign(target, { [name]: target });
}

/** Thrown values by their fault, each with the part of the message that can be read. */
export const HOSTILE_VALUES: readonly (readonly [kind: string, thrown: unknown, readable: string])[] = [
  ['a Symbol', Symbol('out of order'), 'Symbol(out of order)'],
  ['a function', (): string => 'out of order', 'out of order'],
  ['an object without a prototype', Object.assign(Object.create(null), { order: 7 }), 'order'],
  [
    'an error whose stack is no text',
    Object.assign(new Error('out of order'), { stack: [{}] }),
    'out of order',
  ],
  ['an error whose stack throws', unreadable(new Error('out of order'), 'stack'), 'out of order'],
  ['an error whose cause throws', unreadable(new Error('out of order'), 'cause', 'errors'), 'out of order'],
  ['an error of which nothing can be read', unreadable(new Error('x'), 'name', 'message', 'stack'), ''],
  [
    'an error with a cause that cannot be read',
    new Error('out of order', { cause: revoked() }),
    'out of order',
  ],
  [
    'a group whose list cannot be read',
    Object.assign(new Error('out of order'), { errors: revoked() }),
    'out of order',
  ],
  [
    'an error without a constructor',
    Object.assign(new Error('out of order'), { constructor: null, name: 7 }),
    'out of order',
  ],
  [
    'a Proxy of an error whose class cannot be read',
    new Proxy(new Error('out of order'), { getPrototypeOf: refuse }),
    'out of order',
  ],
  ['an object whose getters throw', unreadable({ order: 7 }, 'name', 'message'), 'order'],
  ['an object below which getters throw', { order: { below: unreadable({}, 'a') } }, 'order'],
  ['an object with a revoked Proxy', { order: revoked() }, 'order'],
  ['an error that is its own cause', circular(new Error('out of order'), 'cause'), 'out of order'],
  ['an object that holds itself', circular({ order: 7 }, 'self'), 'order'],
  ['a list that has no text', [Symbol('x')], ''],
  [
    'a Proxy whose every trap throws',
    new Proxy({}, { get: refuse, ownKeys: refuse, getPrototypeOf: refuse }),
    'object',
  ],
  ['a revoked Proxy', revoked(), 'object'],
];
