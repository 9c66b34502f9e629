import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { canonicalText, digestOf, ownKey } from './digest.ts';
import type { Fault } from './fault.ts';

const route = null;
const fault: Fault = {
  type: 'OrderNotFound',
  code: 'E_ORDER',
  message: 'Order 4711 of ann@example.com not found at https://db-1.example/orders: status 404',
  frames: [
    { file: 'orders/order-store', function: 'load' },
    { file: 'orders/orders.controller', function: null },
  ],
  cause: {
    type: 'Error',
    code: 'ECONNREFUSED',
    message: 'connect ECONNREFUSED 10.0.0.7:5432',
    frames: [],
    cause: null,
    members: [],
    ownDigest: null,
  },
  members: [],
  ownDigest: null,
};

const member = (type: string, message: string): Fault => ({
  type,
  code: null,
  message,
  frames: [],
  cause: null,
  members: [],
  ownDigest: null,
});

describe('canonicalText', () => {
  it('has the members of a group behind their mark, sorted and each once, before the cause', () => {
    const inner = { ...member('Group', 'one failed'), members: [member('KeyError', "'sku'")] };
    const members = [
      member('TimeoutError', 'no answer after 30 s'),
      inner,
      member('TimeoutError', 'no answer after 9 s'),
    ];

    expect(
      canonicalText(
        { ...member('Group', 'all failed'), members, cause: member('Error', 'offline') },
        { route },
      ),
    ).toBe(
      [
        'errata-digest/1',
        't Group',
        'm all failed',
        '+ t Group',
        '+ m one failed',
        '+ + t KeyError',
        "+ + m 'sku'",
        '+ t TimeoutError',
        '+ m no answer after <n> s',
        '> t Error',
        '> m offline',
      ].join('\n'),
    );
  });

  it('has one line for each fact and the cause behind its mark', () => {
    expect(canonicalText(fault, { route: '/orders/<n>' })).toBe(
      [
        'errata-digest/1',
        't OrderNotFound',
        'c E_ORDER',
        'm Order <n> of <email> not found at <url>: status 404',
        'f orders/order-store#load',
        'f orders/orders.controller#',
        '> t Error',
        '> c ECONNREFUSED',
        '> m connect ECONNREFUSED <n>',
      ].join('\n'),
    );
  });

  it('names the route when no frame is the application’s own, and only then', () => {
    const placeless = { ...fault, code: null, frames: [], cause: null };

    expect(canonicalText(placeless, { route: '/orders/<n>' })).toMatch(/\nr \/orders\/<n>$/);
    expect(canonicalText(placeless, { route: null })).not.toContain('\nr ');
    expect(canonicalText({ ...fault, frames: [], cause: fault }, { route: '/orders' })).not.toContain('\nr ');
  });

  it('lets no line break in a thrown code or class forge a line', () => {
    const forged = { ...fault, frames: [], code: 'E\nf admin#run', type: 'A\u2028m b' };

    expect(
      canonicalText(forged, { route })
        .split('\n')
        .filter((line) => line.startsWith('f ')),
    ).toEqual([]);
    expect(canonicalText(forged, { route })).not.toContain('\u2028');
  });

  it('goes three causes deep, even in a circle', () => {
    const circle: Fault & { cause: Fault | null } = { ...fault, cause: null };
    circle.cause = circle;

    expect(canonicalText(circle, { route }).match(/^(?:> )*t /gm)).toEqual([
      't ',
      '> t ',
      '> > t ',
      '> > > t ',
    ]);
  });
});

describe('digestOf', () => {
  it('is this constant: with another one the digests that people hold would no longer be found', () => {
    expect(digestOf(fault, { route })).toEqual({
      key: 'a22c91886c4c7d9a24d9721fa4ebe96620495285de7caee5f3688b51ce7ecc9b',
      shown: 'M8P9-323C',
    });
  });

  it('is the SHA-256 of the canonical text', () => {
    const expected = createHash('sha256').update(canonicalText(fault, { route })).digest('hex');

    expect(digestOf(fault, { route }).key).toBe(expected);
  });

  it('keeps a digest of the error’s own and hashes it apart', () => {
    const key = createHash('sha256').update('errata-digest/own\n2338927374').digest('hex');

    expect(digestOf({ ...fault, ownDigest: '2338927374' }, { route })).toEqual({
      key,
      shown: '2338927374',
    });
    expect(ownKey('2338927374')).toBe(key);
  });

  it('is the same for other ids, mail addresses and hosts in the message', () => {
    const other = 'Order c0ffee of bob@mail.example.org not found at http://localhost:8080/x?y=1: status 404';

    expect(digestOf({ ...fault, message: other.replace('c0ffee', 'c0ffee12') }, { route })).toEqual(
      digestOf(fault, { route }),
    );
  });

  it.each([
    ['class', { type: 'OrderLost' }],
    ['code', { code: 'E_LOST' }],
    ['message', { message: 'Order 4711 is closed' }],
    ['status', { message: fault.message.replace('404', '410') }],
    ['function', { frames: [{ file: 'orders/order-store', function: 'save' }] }],
    ['file', { frames: [{ file: 'orders/store', function: 'load' }] }],
    ['cause', { cause: null }],
  ])('differs for another %s in the same place', (_, change) => {
    expect(digestOf({ ...fault, ...change }, { route }).key).not.toBe(digestOf(fault, { route }).key);
  });

  it('differs by route only where no own frame tells the place', () => {
    const placeless = { ...fault, frames: [] };
    const on = (path: string, of: Fault) => digestOf(of, { route: path }).key;

    expect(on('/a', placeless)).not.toBe(on('/b', placeless));
    expect(on('/a', fault)).toBe(on('/b', fault));
  });

  it.each([
    ['TypeError', 'The total of the order is not a number', 'V8EC-SJNM'],
    ['TypeError', 'Failed to fetch', '3SZH-0737'],
    ['CheckoutError', 'cart is not a function', '2N4Z-E4NB'],
    ['RangeError', 'Maximum call stack size exceeded', 'GBQ7-XSF5'],
    ['TypeError', "Cannot read properties of undefined (reading 'items')", 'K5W1-8GRR'],
    ['ReferenceError', "Can't find variable: $", 'D1SH-AMS3'],
  ])('of %s: %s is the constant %s', (type, message, shown) => {
    expect(digestOf({ ...fault, type, message }, { route }).shown).toBe(shown);
  });

  it('is the same in every browser and build for a message that the engine wrote', () => {
    const messages = [
      "Cannot read properties of undefined (reading 'items')",
      'can\'t access property "items", t.cart is undefined',
      'can\'t access property "items", n.cart is undefined',
      "undefined is not an object (evaluating 't.cart.items')",
    ];
    const keys = messages.map((message) => digestOf({ ...fault, type: 'TypeError', message }, { route }).key);

    expect(new Set(keys).size).toBe(1);
  });

  it('never throws and keeps its shape for any fault', () => {
    const text = fc.string({ unit: 'binary' });
    const frames = fc.array(fc.record({ file: text, function: fc.option(text) }), { maxLength: 3 });
    const anyFault = fc.record({
      type: text,
      code: fc.option(text),
      message: text,
      frames,
      cause: fc.constantFrom(null, fault),
      members: fc.constantFrom([], [fault]),
      ownDigest: fc.constant(null),
    });

    fc.assert(
      fc.property(anyFault, fc.option(text), (each, path) => {
        expect(digestOf(each, { route: path })).toMatchObject({
          key: expect.stringMatching(/^[\da-f]{64}$/),
          shown: expect.stringMatching(/^[\dA-HJKMNP-TV-Z]{4}-[\dA-HJKMNP-TV-Z]{4}$/),
        });
      }),
    );
  });
});
