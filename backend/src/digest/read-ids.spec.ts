import fc from 'fast-check';
import { CLIENT_ERROR_TEXT, SERVER_ERROR_TEXT } from '../contract/texts.ts';
import { growthOf, MAX_GROWTH } from '../time/growth.fixture.ts';
import { formsOf, type IdKind, readIds, sentenceIn } from './read-ids.ts';

const HEX = '4bf92f3577b34da6a3ce929d0e0e4736';
const UUID = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const RAY = '8f2b5c1d9e3a4b6c';
const AMAZON = '1-67891233-abcdef012345678912345678';

/** Returns the readings, as `kind value`. */
function certainIn(text: string): readonly string[] {
  return readIds(text).certain.map(({ as, value }) => `${as} ${value}`);
}

function wordsIn(text: string): readonly string[] {
  return readIds(text).words.map(({ as, value }) => `${as} ${value}`);
}

/** Returns the readings of a code that stands alone. */
function anyName(code: string): readonly string[] {
  return ['tag', 'user', 'release', 'server'].map((as) => `${as} ${code}`);
}

describe('readIds', () => {
  it.each<[string, readonly [IdKind, string][]]>([
    [
      HEX,
      [
        ['trace_id', HEX],
        ['request_id', HEX],
      ],
    ],
    [UUID.toUpperCase(), [['request_id', UUID.toUpperCase()]]],
    [`00-${HEX}-${SPAN}-01`, [['trace_id', HEX]]],
    [`00-${HEX}-${SPAN}-00`, [['trace_id', HEX]]],
    [`traceparent: 00-${HEX}-${SPAN}-01`, [['trace_id', HEX]]],
    [`sentry-trace: ${HEX}-${SPAN}-1`, [['trace_id', HEX]]],
    [`{"traceId":"00-${HEX}-${SPAN}-00","status":500}`, [['trace_id', HEX]]],
    [
      `{"trace_id":"${HEX}"}`,
      [
        ['trace_id', HEX],
        ['request_id', HEX],
      ],
    ],
    [AMAZON, [['request_id', AMAZON]]],
    [`X-Amzn-Trace-Id: Root=${AMAZON};Sampled=1`, [['request_id', AMAZON]]],
    [`Cloudflare Ray ID: ${RAY} • Performance`, [['request_id', RAY]]],
    [`cf-ray: ${RAY}-FRA`, [['request_id', RAY]]],
    [`${RAY}-FRA`, [['request_id', RAY]]],
    ['X-Request-ID: req-7f3a91c2', [['request_id', 'req-7f3a91c2']]],
    ['{"requestId":"0451f","ok":false}', [['request_id', '0451f']]],
    ['Correlation ID = 77', [['request_id', '77']]],
    ['Request ID req-7f3a91c2.', [['request_id', 'req-7f3a91c2']]],
    ['Digest: 2956068727@E263', [['tag', '2956068727@E263']]],
    ['Error code: PAY-77', [['tag', 'PAY-77']]],
    ['Ann.Lee@Shop.example', [['user', 'Ann.Lee@Shop.example']]],
    ['mailto:ann@shop.example', [['user', 'ann@shop.example']]],
    ["'o’brien@shop.example'", [['user', 'o’brien@shop.example']]],
    ["o'brien@shop.example", [['user', "o'brien@shop.example"]]],
    ['jörg@müller.рф', [['user', 'jörg@müller.рф']]],
    ['ann@shop.xn--p1ai', [['user', 'ann@shop.xn--p1ai']]],
    ['https://shop.example/cart?x=1', [['url', 'https://shop.example/cart?x=1']]],
    ['shop.example/cart/5?x=1', [['url', 'shop.example/cart/5?x=1']]],
    ['localhost:3000/cart', [['url', 'localhost:3000/cart']]],
    ['10.0.0.7:3000/cart', [['url', '10.0.0.7:3000/cart']]],
    ['curl -X POST "https://shop.example/cart?x=1"', [['url', 'https://shop.example/cart?x=1']]],
    [
      `curl 'https://shop.example/cart' \\\n -H 'x-request-id: r-1' \\\n -H 'cookie: sid=${UUID}'`,
      [
        ['request_id', 'r-1'],
        ['url', 'https://shop.example/cart'],
        ['request_id', UUID],
      ],
    ],
    ['fetch("https://shop.example/cart", {', [['url', 'https://shop.example/cart']]],
    ['GET https://shop.example/cart 500 (Internal Server Error)', [['url', 'https://shop.example/cart']]],
    ['"https://shop.example/cart".', [['url', 'https://shop.example/cart']]],
    ['<https://shop.example/cart_(new)>,', [['url', 'https://shop.example/cart_(new)']]],
    ['[the cart](https://shop.example/cart)', [['url', 'https://shop.example/cart']]],
    [
      'https://www.shop.example/cart/?x=1',
      [
        ['url', 'https://www.shop.example/cart/?x=1'],
        ['url', 'https://shop.example/cart?x=1'],
      ],
    ],
    [
      'www.shop.example',
      [
        ['url', 'www.shop.example'],
        ['url', 'shop.example'],
      ],
    ],
    ['/cart/5', [['url', '/cart/5']]],
    ['POST /cart', [['url', '/cart']]],
    ['GET /cart?x=1 HTTP/1.1', [['url', '/cart?x=1']]],
    [
      `10.0.0.7 - - "GET /cart?x=1 HTTP/1.1" 500 12 "${UUID}"`,
      [
        ['request_id', UUID],
        ['url', '/cart?x=1'],
      ],
    ],
    ['email:ann@shop.example', [['user', 'ann@shop.example']]],
    ['user_id: 77', [['user', '77']]],
    ['<ann@shop.example>,', [['user', 'ann@shop.example']]],
    [
      'shop@1.4.beta',
      [
        ['user', 'shop@1.4.beta'],
        ['release', 'shop@1.4.beta'],
      ],
    ],
    ['environment:production', [['environment', 'production']]],
    ['environment: production', [['environment', 'production']]],
    ['server_name:web-1', [['server', 'web-1']]],
    ['plan:"Gold plus"', [['tag', 'plan:Gold plus']]],
    ['order:4711-AB', [['tag', '4711-AB']]],
  ])('reads %j', (text, expected) => {
    expect(readIds(text).certain.map(({ as, value }) => [as, value])).toEqual(expected);
  });

  it.each([
    ['order 4711-AB', ['tag 4711-AB']],
    ['(4711-AB),', anyName('4711-AB')],
    ['shop@1.4.2', anyName('shop@1.4.2')],
    ['[10.0.0.7]', anyName('10.0.0.7')],
    ['web-7', []],
    ['7KQ4-M2XD', ['tag 7KQ4-M2XD']],
    [UUID, [`user ${UUID}`]],
    ['{"order":"4711-AB"}', ['tag 4711-AB']],
    ['cart/sum.ts/4711', anyName('cart/sum.ts/4711')],
    ['1.4.2/4711', anyName('1.4.2/4711')],
    ['order=4711-AB failed for ann@shop.example', ['user ann@shop.example', 'tag order=4711-AB']],
    [
      'see "https://shop.example/cart/5/", then [this](https://shop.example/pay).',
      ['url https://shop.example/cart/5/', 'url https://shop.example/cart/5', 'url https://shop.example/pay'],
    ],
    ['Cannot GET /cart/5 HTTP/1.1', ['url /cart/5', 'tag cart/5']],
    [
      'write to <mailto:ann@shop.example>, or {"email":"bob@shop.example"}',
      ['user ann@shop.example', 'user bob@shop.example'],
    ],
    ['4711 of 12 items', []],
    ['"order 4711-AB"', []],
    ['https://shop.example/orders/4711', []],
    [HEX, [`user ${HEX}`]],
    ['order 4711-AB\nof cart 99-7777', []],
    [`order 4711-AB ${'and more '.repeat(30)}`, []],
  ])('reads words of a short text: %j', (text, expected) => {
    expect(wordsIn(text)).toEqual(expected);
  });

  it('reads only patterns and labelled ids of a pasted page', () => {
    const page = `${SERVER_ERROR_TEXT}\nDigest: 2956068727@E263\nOrder 4711-AB, x-request-id: r-1\n${HEX}`;

    expect(certainIn(page)).toEqual([
      'tag 2956068727@E263',
      'request_id r-1',
      `trace_id ${HEX}`,
      `request_id ${HEX}`,
    ]);
    expect(wordsIn(page)).toEqual([]);
  });

  it.each([
    CLIENT_ERROR_TEXT,
    SERVER_ERROR_TEXT,
    'TypeError: cart is undefined',
    'at 12:30',
    'Error: timeout',
    '  ',
    'trace id lost',
  ])('reads no id in %j', (text) => {
    expect(readIds(text)).toEqual({ certain: [], words: [] });
  });

  it('gives at most 16 candidates of any text, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { certain, words } = readIds(text);

        expect(certain.length + words.length).toBeLessThanOrEqual(16);
      }),
    );
    const ids = Array.from({ length: 100 }, (_, index) => `request_id: r-${index}`).join('\n');
    expect(readIds(ids).certain).toHaveLength(16);
    const both = readIds(
      Array.from({ length: 8 }, (_, index) => `cf-ray=a${index} x-${index}0000`).join(' '),
    );
    expect([both.certain.length, both.words.length]).toEqual([8, 8]);
    expect(readIds(Array.from({ length: 20 }, (_, index) => `code-${index}`).join(' ')).words).toHaveLength(
      16,
    );
  });

  it.each([
    'request_id',
    'a@',
    '0-',
    'ray id',
    '1-',
    '{"',
    'x:',
    '00-',
    'a.',
    'curl ',
    "'@",
    'GET ',
    'GET /',
    '[](',
    'https://',
    '](',
    '.)',
    '(',
    'www.',
    '@1.',
  ])('takes linear time for a text of %j', (part) => {
    expect(growthOf(20_000, (size) => readIds(part.repeat(size / part.length)))).toBeLessThan(MAX_GROWTH);
  });
});

describe('formsOf', () => {
  it('has both spellings of 128 bits, and the name before other values', () => {
    expect(formsOf({ as: 'request_id', value: UUID.toUpperCase() })).toEqual([HEX, UUID]);
    expect(formsOf({ as: 'trace_id', value: HEX })).toEqual([HEX, UUID]);
    expect(formsOf({ as: 'request_id', value: 'r-1' })).toEqual(['r-1']);
    expect(formsOf({ as: 'user', value: 'ann' })).toEqual(['user:ann']);
    expect(formsOf({ as: 'tag', value: 'plan:gold' })).toEqual(['plan:gold']);
  });
});

describe('sentenceIn', () => {
  it.each([
    [CLIENT_ERROR_TEXT, 'client'],
    [SERVER_ERROR_TEXT.toUpperCase(), 'server'],
    ['Application error: a client-side exception\nhas occurred while loading shop.example', 'client'],
    ['Application error', null],
  ])('reads the source of the page in %j', (text, source) => {
    expect(sentenceIn(text)).toBe(source);
  });
});
