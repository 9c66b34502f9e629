import { RELEASES, type Release, type SeedEvent, serverEvent } from './event.ts';
import type { Random } from './random.ts';

/** Errors of an invented shop: class, message with an ID, file and function, route, cause. */
const FAULTS = `
OrderNotFound   | Order # not found                                       | orders/order-store | load      | /orders/#
TypeError       | Cannot read properties of undefined (reading 'items')   | cart/cart          | total     | /cart/#
PaymentRefused  | Payment of order # was refused: status 402              | checkout/pay       | charge    | /checkout         | card declined
Error           | connect ECONNREFUSED 10.0.3.7:#                         | db/pool            | connect   | /orders           | no route to host
RangeError      | Invalid time value                                      | reports/monthly    | rangeOf   | /reports/#
SyntaxError     | Unexpected token < in JSON at position #                | stock/client       | readStock | /stock/#
TimeoutError    | The stock service took longer than # ms                 | stock/client       | ask       | /stock/#          | aborted
ForbiddenTenant | Tenant # may not see invoices                           | invoices/guard     | check     | /invoices/#
TypeError       | rows.map is not a function                              | search/suggest     | suggest   | /search
Error           | getaddrinfo ENOTFOUND mail-#.internal                   | mail/send          | send      | /orders/#/confirm
`
  .trim()
  .split('\n');
/** The error that is resolved and occurs again. */
const RETURNING = 'StockMismatch | Stock of # is negative | stock/book | book | /stock/#';

/** Index of the first error that exists only in the later release. */
const NEW_FROM = FAULTS.length - 3;

/** Returns events of both releases; the first errors of the list are the most frequent. */
export function serverErrors(random: Random, count: number): readonly SeedEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const release: Release = index % 5 < 2 ? RELEASES[0] : RELEASES[1];
    const known = release === RELEASES[0] ? NEW_FROM : FAULTS.length;
    // The product of two random numbers favours small indexes.
    return failing(random, release, FAULTS[Math.floor(random.next() * random.next() * known)] ?? RETURNING);
  });
}

export function regression(random: Random, release: Release): SeedEvent {
  const event = failing(random, release, RETURNING);
  return release === RELEASES[0] ? event : { ...event, timestamp: Date.now() / 1_000 };
}

function failing(random: Random, release: Release, fault: string): SeedEvent {
  const id = String(1_000 + random.below(9_000));
  const cells = fault.replaceAll('#', id).split('|');
  const [type = '', value = '', file = '', name = '', route = '', cause] = cells.map((cell) => cell.trim());
  const library = '/srv/shop/node_modules/express/lib/router/index.js';
  const frames = [
    { filename: library, function: 'next', lineno: 280, in_app: false },
    own(file.replace(/[^/]+$/, 'controller'), 'handle', 21),
    own(file, name, 42),
  ];
  const causes =
    cause === undefined ? [] : [{ type: 'Error', value: cause, stacktrace: { frames: frames.slice(-1) } }];
  const thrown = { type, value, stacktrace: { frames } };
  return { ...serverEvent(random, release, route), exception: { values: [...causes, thrown] } };
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
