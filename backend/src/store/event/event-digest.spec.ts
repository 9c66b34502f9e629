import type { Fields } from '../../digest/fields.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import { growthOf, MAX_GROWTH } from '../../time/growth.fixture.ts';
import { readEnvelope } from '../ingest/read-envelope.ts';
import { KNOWN_EVENTS } from '../reading/known-events.fixture.ts';
import { routeIn } from './event-digest.ts';

const mapper = new SourceMapper(() => Promise.resolve(undefined));
const options = { maps: { mapper, idsOf: () => [] }, own: { root: '', mapper }, spool: 1 };

async function digestOfEvent(event: Fields): Promise<string | undefined> {
  const payload = Buffer.from(JSON.stringify(event));
  const { events } = await readEnvelope(
    {
      project: 'https://key@errors.example/1',
      source: 'tunnel',
      receivedAtMs: 0,
      eventId: null,
      network: null,
      userAgent: null,
      sdk: null,
      host: null,
      sentAt: null,
      items: [{ type: 'event', payload, release: null, environment: null }],
    },
    options,
  );
  return events[0]?.digest.shown;
}

/** Marks the events of a row by their digests, in order: `A B A`. */
async function lettersOf(events: readonly Fields[]): Promise<string> {
  const digests = await Promise.all(events.map(digestOfEvent));
  const all = [...new Set(digests)];
  return digests.map((digest) => 'ABCDE'[all.indexOf(digest)]).join(' ');
}

const stackOf = (frame: Fields): Fields => ({
  stacktrace: { frames: [{ filename: 'shop/cart.x', function: 'f', lineno: 4, in_app: true, ...frame }] },
});
const thrownIn = (frame: Fields, changes: Fields = {}): Fields => ({
  type: 'CartError',
  value: 'refused',
  ...stackOf(frame),
  ...changes,
});
const failing = (platform: string, frame: Fields, changes: Fields = {}): Fields => ({
  platform,
  exception: { values: [thrownIn(frame)] },
  ...changes,
});
const page = (changes: Fields): Fields => ({
  platform: 'javascript',
  sdk: { name: 'sentry.javascript.browser' },
  request: { url: 'https://shop.example/cart' },
  ...changes,
});
/** A group whose members have these types, in the words of an SDK. */
const group = (platform: string, field: string, types: readonly string[]): Fields => {
  const member = (type: string, at: number) =>
    thrownIn(
      { function: `fails${type}` },
      { type, mechanism: { source: `${field}[${at}]`, exception_id: at + 1, parent_id: 0 } },
    );
  const mechanism = { is_exception_group: true, exception_id: 0 };
  return {
    platform,
    exception: { values: [...types.map(member).toReversed(), thrownIn({}, { type: 'Group', mechanism })] },
  };
};
const alpha = { type: 'TypeError', value: 'no cart' };
const beta = { type: 'TypeError', value: 'no chunk' };

describe('eventDigest', () => {
  // People hold these digests: another value is a break for any reason.
  it.each([
    ['a Node error', 'S52Z-Y70Y'],
    ['a Node error with a cause', 'XV1F-X66Z'],
    ['a Node error with a cause without ids', 'G5AA-ER85'],
    ['a Node error without own frames', 'QY2M-R2J8'],
    ['a Node message', '5Z25-BS5R'],
    ['a Node log entry', 'VK5F-TSVJ'],
    ['a Node message with a stack', '1E32-GVM8'],
    ['a Node event without anything', 'VBQP-8HD4'],
    ['a page’s error', 'BGF3-GNA7'],
    ['a page’s error with a cause', 'R7WV-PZC8'],
    ['a page’s message', 'QZCR-N5S1'],
  ])('is for %s the one of earlier versions', async (name, digest) => {
    expect(await digestOfEvent(KNOWN_EVENTS[name] ?? {})).toBe(digest);
  });

  it.each([
    [
      'a page, in each form of the exception',
      [[alpha], { values: [alpha] }, alpha, { values: alpha }, [beta]].map((exception) =>
        page({ exception }),
      ),
      'A A A A B',
    ],
    [
      'an exception under its old name',
      [{ exception: [alpha] }, { 'sentry.interfaces.Exception': { values: [alpha] } }, { exception: beta }],
      'A A B',
    ],
    [
      'a template with other parameters, in each member',
      [
        { logentry: { message: '%s is low', params: ['a'] } },
        { logentry: { message: '%s is low', params: ['b'], formatted: 'b is low' } },
        { message: { message: '%s is low', params: ['c'] } },
        { logentry: { message: '%s is high', params: ['a'] } },
      ],
      'A A A B',
    ],
    [
      'a message, as text and formatted',
      [{ message: 'disk is full' }, { message: { formatted: 'disk is full' } }, { message: 'disk is hot' }],
      'A A B',
    ],
    [
      'a stack of the event, of its thread and of the exception',
      [
        { exception: [alpha], ...stackOf({}) },
        { exception: [alpha], threads: [{ current: true, ...stackOf({}) }] },
        { exception: [{ ...alpha, ...stackOf({}) }] },
        { exception: [alpha], threads: { values: [stackOf({ function: 'g' })] } },
      ],
      'A A A B',
    ],
    [
      'a value that is an object with its members in any order',
      [{ a: 'x', b: [1] }, { b: [1], a: 'x' }, { c: 'x' }].map((value) => ({
        exception: [{ type: 'ApiError', value }],
      })),
      'A A B',
    ],
  ])('is one for %s', async (_name, events, letters) => {
    expect(await lettersOf(events)).toBe(letters);
  });

  it.each([
    ['python', 'exceptions'],
    ['node', 'errors'],
    ['csharp', 'InnerExceptions'],
    ['java', 'failures'],
  ])('is on %s for a group that of the set of its %s', async (platform, field) => {
    const events = [['Key', 'Timeout'], ['Timeout', 'Key'], ['Key', 'Key', 'Timeout'], ['Key'], ['Timeout']];

    expect(await lettersOf(events.map((types) => group(platform, field, types)))).toBe('A A A B C');
  });

  it.each(['bun', 'deno', 'cloudflare', 'vercel-edge', 'workerd'])(
    'tells two functions of a server on %s',
    async (name) => {
      const changes = page({ contexts: { runtime: { name } } });
      const events = ['charge', 'refund'].map((called) =>
        failing('javascript', { function: called }, { ...changes, sdk: undefined }),
      );

      expect(await lettersOf(events)).toBe('A B');
    },
  );

  // The same function after an edit, then another one.
  it.each([
    ['elixir', 'Shop.Cart.add/2', 'Shop.Cart.add/2', 'Shop.Cart.remove/2'],
    ['elixir', '-add/2-fun-0-', '-add/2-fun-1-', '-remove/2-fun-0-'],
    ['csharp', 'Add (System.Int32 n)', 'Add (System.Int32 n)', 'Remove (System.Int32 n)'],
    [
      'csharp',
      'async Task Cart.AddAsync(string s)',
      'async Task Cart.AddAsync(string s)',
      'async Task Cart.RemoveAsync(string s)',
    ],
    ['csharp', '<Add>b__12_0', '<Add>b__14_1', '<Remove>b__12_0'],
    ['native', 'shop::Cart::add(int)', 'shop::Cart::add(int)', 'shop::Cart::remove(int)'],
    ['native', 'Cart::add()::$_0::operator()()', 'Cart::add()::$_2::operator()()', 'Cart::remove()'],
    ['cocoa', '-[Cart addItem:at:]', '-[Cart addItem:at:]', '-[Cart removeItem:at:]'],
    ['cocoa', 'closure #1 in Cart.add()', 'closure #2 in Cart.add()', 'closure #1 in Cart.remove()'],
    ['java', 'lambda$add$0', 'lambda$add$3', 'lambda$remove$0'],
    ['go', '(*Cart).Add.func1', '(*Cart).Add.func2', '(*Cart).Remove.func1'],
    ['dart', 'Cart.add.<anonymous closure>', 'Cart.add.<anonymous closure>', 'Cart.remove'],
    [
      'php',
      '{closure:App\\Cart::add():12}',
      '{closure:App\\Cart::add():19}',
      '{closure:App\\Cart::pay():12}',
    ],
    ['ruby', 'block in Cart#add', 'block in Cart#add', 'block in Cart#remove'],
    ['python', 'add.<locals>.<lambda>', 'add.<locals>.<lambda>', 'remove.<locals>.<lambda>'],
    ['godot', '_on_timer_timeout', '_on_timer_timeout', '_on_timer_start'],
    ['node', 'Cart.add', 'Cart.add', 'Cart.remove'],
  ])('is on %s one for %j and %j of another line, and not for %j', async (platform, name, later, other) => {
    const events = [name, later, other].map((called, at) =>
      failing(platform, { function: called, lineno: 4 + at, context_line: `line ${at}` }),
    );

    expect(await lettersOf(events)).toBe('A A B');
  });

  it.each([
    ['java', { module: 'shop.a.Cart' }, { module: 'shop.b.Cart' }],
    ['csharp', { filename: null, module: 'Shop.Cart' }, { filename: null, module: 'Shop.Basket' }],
    ['go', { module: 'acme/shop/cart' }, { module: 'acme/shop/basket' }],
    ['native', { filename: null, package: '/lib/cart.so' }, { filename: null, package: '/lib/basket.so' }],
    ['dart', { abs_path: 'package:shop/a/cart.dart' }, { abs_path: 'package:shop/b/cart.dart' }],
  ])('tells on %s two places with one file name: %j and %j', async (platform, one, other) => {
    expect(await lettersOf([one, other, one].map((frame) => failing(platform, frame)))).toBe('A B A');
  });

  it.each([
    ['texts', [['pay', 'visa'], ['pay', 'amex'], ['network'], ['network']], 'A B C C'],
    ['a text and a number', ['7', [7], ['7'], ['8']], 'A A A B'],
    ['the default one', [[], ['{{ default }}'], ['{{ default }}', 'visa'], ['visa']], 'A A B C'],
  ])('is that of a fingerprint of %s', async (_name, fingerprints, letters) => {
    const events = fingerprints.map((fingerprint) => failing('python', {}, { fingerprint }));

    expect(await lettersOf(events)).toBe(letters);
  });

  it('of one fingerprint is one for two faults', async () => {
    const fingerprint = ['network'];
    const events = ['open', 'close'].map((name) => failing('python', { function: name }, { fingerprint }));

    expect(await lettersOf(events)).toBe('A A');
  });
});

describe('routeIn', () => {
  it.each([
    ['/products/:slug', '/products/red-shoes', '/products/<n>'],
    ['/products/:slug?', '/products', '/products/<n>'],
    ['/:lang?/products/:slug', '/en/products/hat', '/<n>/products/<n>'],
    ['GET /orders/{id}', '/orders/17', '/orders/<n>'],
    ['POST /orders/{order_id:int}/lines/', '/orders/17/lines/', '/orders/<n>/lines'],
    ['/products/[slug]', '/products/hat', '/products/<n>'],
    ['/docs/[...path]', '/docs/a/b', '/docs/<n>'],
    ['/[[...slug]]', '/a/b', '/<n>'],
    ['/products/$slug/edit', '/products/hat/edit', '/products/<n>/edit'],
    ['/orders/<int:id>/', '/orders/17/', '/orders/<n>'],
    ['/users/<name>', '/users/ann', '/users/<n>'],
    ['/(shop)/cart', '/cart', '/<n>/cart'],
    ['/files/*', '/files/a/b', '/files/<n>'],
    ['/*', '/cart', '/<n>'],
    ['/orders/4711/:line', '/orders/4711/2', '/orders/<n>/<n>'],
    ['/products/:slug', null, '/products/<n>'],
    // No parameter: the path says more.
    ['/products/hat', '/products/17', '/products/<n>'],
    ['/cart', '/shop/cart', '/shop/cart'],
    ['/', '/cart', '/cart'],
    ['GET /cart', null, '/cart'],
    ['GET /shop/search?q=a-b-c', null, '/shop/search'],
    // No path.
    ['OrdersController#show', '/orders/list', '/orders/list'],
    ['routes/products.$slug', '/products/red-shoes', '/products/red-shoes'],
    ['shop.views.cart', null, null],
    [null, null, null],
    [null, '/', '/'],
    [null, '/blog/how-we-built-it', '/blog/<n>'],
    [null, '/blog/how_we_built_it/comments', '/blog/<n>/comments'],
    [null, '/how-we-built-it', '/how-we-built-it'],
    [null, '/products/red-shoes', '/products/red-shoes'],
    [null, '/account/reset-password', '/account/reset-password'],
    [null, '/account/-sign-in-', '/account/-sign-in-'],
  ])('of the transaction %j and the path %j is %j', (transaction, path, route) => {
    const request = path === null ? undefined : { url: `https://shop.example${path}?page=a-b-c` };

    expect(routeIn({ transaction, request })).toBe(route);
  });

  it.each(['/a-', '/:', '/[', '-_', '/*-', '/a-b-c'])(
    'is bounded for 64 KiB of %j, as is its time',
    (unit) => {
      const hostile = (size: number): Fields => {
        const text = `/${unit.repeat(Math.ceil(size / unit.length))}`;
        return { transaction: text, request: { url: `https://shop.example${text}` } };
      };

      expect(routeIn(hostile(2 ** 16))).toMatch(/^\/[^]{0,199}$/);
      expect(growthOf(2 ** 16, (size) => routeIn(hostile(size)))).toBeLessThan(MAX_GROWTH);
    },
  );
});
