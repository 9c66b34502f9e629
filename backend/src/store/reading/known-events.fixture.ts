import type { Fields } from '../../digest/fields.ts';

/** Events in the shape that the node, NestJS and browser SDKs send, whose digests never change. */

const SCRIPT = 'https://shop.example/assets/index-ab12CD34.js';

const frame = (filename: string, name: string, changes: Fields = {}): Fields => ({
  filename,
  function: name,
  lineno: 12,
  colno: 7,
  in_app: true,
  ...changes,
});

const thrown = (type: string, value: string, frames: readonly Fields[], mechanism?: Fields): Fields => ({
  type,
  value,
  stacktrace: { frames },
  ...(mechanism === undefined ? {} : { mechanism }),
});

const node = (values: readonly Fields[], changes: Fields = {}): Fields => ({
  platform: 'node',
  sdk: { name: 'sentry.javascript.node' },
  contexts: { runtime: { name: 'node', version: 'v26.10.0' } },
  server_name: 'shop-1',
  request: { method: 'GET', url: 'http://shop.example/orders/4711' },
  exception: { values },
  ...changes,
});

const page = (values: readonly Fields[], changes: Fields = {}): Fields => ({
  platform: 'javascript',
  sdk: { name: 'sentry.javascript.react' },
  request: { url: 'https://shop.example/cart/99', headers: { 'User-Agent': 'Mozilla/5.0' } },
  exception: { values },
  ...changes,
});

const EXPRESS = frame('/srv/shop/node_modules/express/lib/router.js', 'Layer.handle [as handle_request]', {
  in_app: false,
});
const LOAD = frame('/srv/shop/dist/orders/load.js', 'Orders.load', { module: 'load' });
const START = frame('/srv/shop/dist/main.js', '?');

export const KNOWN_EVENTS: Readonly<Record<string, Fields>> = {
  'a Node error': node([
    thrown('TypeError', "Cannot read properties of undefined (reading 'items')", [START, EXPRESS, LOAD]),
  ]),
  'a Node error with a cause': node([
    thrown('Error', 'connect ECONNREFUSED 10.0.0.7:5432', [], {
      type: 'chained',
      source: 'cause',
      exception_id: 1,
      parent_id: 0,
    }),
    thrown('LoadError', 'no order 4711', [START, LOAD], { type: 'generic', handled: false, exception_id: 0 }),
  ]),
  'a Node error with a cause without ids': node([
    thrown('Error', 'socket hang up', [frame('node:internal/streams', 'end', { in_app: false })]),
    thrown('LoadError', 'no order 4711', [LOAD]),
  ]),
  'a Node error without own frames': node([thrown('TypeError', 'fetch failed', [EXPRESS])]),
  'a Node message': node([], { message: 'stock of 4711 is low', exception: undefined }),
  'a Node log entry': node([], {
    logentry: { message: 'stock of %s is low', params: ['4711'] },
    exception: undefined,
  }),
  'a Node message with a stack': node([{ value: 'stock is low', stacktrace: { frames: [START, LOAD] } }]),
  'a Node event without anything': node([], { exception: undefined }),
  'a page’s error': page([
    thrown('TypeError', 'cart is undefined', [
      frame(SCRIPT, 'r'),
      frame(SCRIPT, 'checkout', { colno: 70 }),
      frame('https://ads.example/a.js', 'b'),
    ]),
  ]),
  'a page’s error with a cause': page([
    thrown('RangeError', 'negative', [frame(SCRIPT, 'x')], {
      type: 'chained',
      source: 'cause',
      exception_id: 1,
      parent_id: 0,
    }),
    thrown('Error', 'no cart', [frame(SCRIPT, 'y')], { type: 'onerror', handled: false, exception_id: 0 }),
  ]),
  'a page’s message': page([], { message: 'checkout takes long', exception: undefined }),
};
