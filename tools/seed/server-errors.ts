import { RELEASES, type Release, type SeedEvent, serverEvent } from './event.ts';
import type { Random } from './random.ts';

/** Errors of an invented shop: class, message with an ID, file and function, route, cause. */
const FAULTS = [
  ['OrderNotFound', 'Order # not found', 'orders/order-store', 'load', '/orders/#', null],
  [
    'TypeError',
    "Cannot read properties of undefined (reading 'items')",
    'cart/cart',
    'total',
    '/cart/#',
    null,
  ],
  [
    'PaymentRefused',
    'Payment of order # was refused: status 402',
    'checkout/pay',
    'charge',
    '/checkout',
    'card declined',
  ],
  ['Error', 'connect ECONNREFUSED 10.0.3.7:#', 'db/pool', 'connect', '/orders', 'no route to host'],
  ['RangeError', 'Invalid time value', 'reports/monthly', 'rangeOf', '/reports/#', null],
  ['SyntaxError', 'Unexpected token < in JSON at position #', 'stock/client', 'readStock', '/stock/#', null],
  ['TimeoutError', 'The stock service took longer than # ms', 'stock/client', 'ask', '/stock/#', 'aborted'],
  ['ForbiddenTenant', 'Tenant # may not see invoices', 'invoices/guard', 'check', '/invoices/#', null],
  ['TypeError', 'rows.map is not a function', 'search/suggest', 'suggest', '/search', null],
  ['Error', 'getaddrinfo ENOTFOUND mail-#.internal', 'mail/send', 'send', '/orders/#/confirm', null],
] as const;

/** Index of the first error that exists only in the later release. */
const NEW_FROM = FAULTS.length - 3;

/** Returns events of both releases; the first errors of the list are the most frequent. */
export function serverErrors(random: Random, count: number): readonly SeedEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const release: Release = index % 5 < 2 ? RELEASES[0] : RELEASES[1];
    const known = release === RELEASES[0] ? NEW_FROM : FAULTS.length;
    // The product of two random numbers favours small indexes.
    return failing(random, release, FAULTS[Math.floor(random.next() * random.next() * known)] ?? FAULTS[0]);
  });
}

/** Returns the error that is resolved and occurs again. */
export function regression(random: Random, release: Release): SeedEvent {
  const event = failing(random, release, [
    'StockMismatch',
    'Stock of # is negative',
    'stock/book',
    'book',
    '/stock/#',
    null,
  ]);
  return release === RELEASES[0] ? event : { ...event, timestamp: Date.now() / 1_000 };
}

type FaultText = readonly [string, string, string, string, string, string | null];

function failing(
  random: Random,
  release: Release,
  [type, message, file, name, route, cause]: FaultText,
): SeedEvent {
  const id = String(1_000 + random.below(9_000));
  const frames = [
    {
      filename: '/srv/shop/node_modules/express/lib/router/index.js',
      function: 'next',
      lineno: 280,
      in_app: false,
    },
    own(file.replace(/[^/]+$/, 'controller'), 'handle', 21),
    own(file, name, 42),
  ];
  const thrown = { type, value: message.replaceAll('#', id), stacktrace: { frames } };
  const causes =
    cause === null ? [] : [{ type: 'Error', value: cause, stacktrace: { frames: frames.slice(-1) } }];
  return {
    ...serverEvent(random, release, route.replaceAll('#', id)),
    exception: { values: [...causes, thrown] },
  };
}

function own(file: string, name: string, line: number) {
  return {
    filename: `/srv/shop/dist/${file}.js`,
    function: name,
    lineno: line,
    colno: 17,
    in_app: true,
    pre_context: ['  const found = await this.read(id);'],
    context_line: `  return ${name}(found.value);`,
    post_context: ['}'],
  };
}
