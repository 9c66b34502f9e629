const refuse = () => {
  throw new Error('not to be read');
};

/** An error with a field that throws when it is read. */
function errorWithout(field: string): Error {
  return Object.defineProperty(new TypeError('cart is gone'), field, { get: refuse });
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const UNREADABLE = '(a value that cannot be read)';

/** Values that throw when they are read, each with what is read of it. */
export const UNREADABLE_VALUES: readonly (readonly [
  kind: string,
  thrown: () => { readonly value: unknown },
  parts: string | { readonly name: string; readonly message: string },
])[] = [
  ['a message', () => ({ value: errorWithout('message') }), { name: 'TypeError', message: UNREADABLE }],
  ['a name', () => ({ value: errorWithout('name') }), { name: 'Error', message: 'cart is gone' }],
  ['a stack', () => ({ value: errorWithout('stack') }), { name: 'TypeError', message: 'cart is gone' }],
  ['a cause', () => ({ value: errorWithout('cause') }), { name: 'TypeError', message: 'cart is gone' }],
  [
    'the message of a cause',
    () => ({ value: new TypeError('cart is gone', { cause: errorWithout('message') }) }),
    { name: 'TypeError', message: 'cart is gone' },
  ],
  [
    'a field of an object',
    () => ({ value: Object.defineProperty({ a: 1 }, 'b', { get: refuse, enumerable: true }) }),
    '[object Object]',
  ],
  ['the text of an object', () => ({ value: { [Symbol.toPrimitive]: refuse } }), UNREADABLE],
  [
    'a proxy',
    () => ({ value: new Proxy(new Error('x'), { get: refuse }) }),
    { name: 'Error', message: UNREADABLE },
  ],
  ['a revoked proxy', () => ({ value: revoked() }), UNREADABLE],
];
