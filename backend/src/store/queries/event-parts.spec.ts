import { contextDetailsOf } from './context-detail.ts';
import { exceptionDetailsOf } from './exception-detail.ts';
import { namedTexts } from './named-texts.ts';
import { requestDetailOf } from './request-detail.ts';

describe('requestDetailOf', () => {
  it('separates the query from the URL, and drops the fragment', () => {
    const request = {
      method: 'GET',
      url: 'https://shop.example/cart?page=2#code',
      headers: { Accept: '*/*' },
    };

    expect(requestDetailOf({ request })).toEqual({
      method: 'GET',
      url: 'https://shop.example/cart',
      query: 'page=2',
      headers: [['Accept', '*/*']],
      body: null,
    });
  });

  it.each([
    ['a=1&b=2', 'a=1&b=2'],
    ['?a=1', 'a=1'],
    [{ a: '1', b: 2 }, 'a=1&b=2'],
    [
      [
        ['a', '1'],
        ['b', '2'],
      ],
      'a=1&b=2',
    ],
  ])('reads a query that was sent as %j', (sent, query) => {
    expect(requestDetailOf({ request: { url: '/x', query_string: sent } })?.query).toBe(query);
  });

  it('shows a body that is no text as JSON, and cuts each at 8 KiB', () => {
    expect(requestDetailOf({ request: { data: { cart: [1] } } })?.body).toBe('{\n  "cart": [\n    1\n  ]\n}');
    expect(requestDetailOf({ request: { data: 'x'.repeat(9_000) } })?.body).toHaveLength(8_192);
  });

  it.each([
    {},
    { request: null },
    { request: 'GET /' },
    { request: [] },
    { request: { url: {}, headers: 7 } },
  ])('is null for %j', (event) => {
    expect(requestDetailOf(event)).toBeNull();
  });
});

describe('contextDetailsOf', () => {
  it('lists what each context says, and what the application added', () => {
    const contexts = { os: { name: 'Linux', type: 'os', version: null }, empty: {}, odd: ['a', 1] };

    expect(contextDetailsOf({ contexts, extra: { cart: { items: 2 } } })).toEqual([
      { name: 'os', values: [['name', 'Linux']] },
      { name: 'odd', values: [['odd', '["a",1]']] },
      { name: 'extra', values: [['cart', '{"items":2}']] },
    ]);
  });

  it('is cut in every direction', () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`${index}${'n'.repeat(500)}`, 'v'.repeat(5_000)]),
    );
    const contexts = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`c${index}`, many]));

    const details = contextDetailsOf({ contexts });

    expect(details).toHaveLength(50);
    expect(details[0]?.values).toHaveLength(100);
    const [name = '', value = ''] = details[0]?.values[0] ?? [];
    expect([name.length, value.length]).toEqual([200, 1_000]);
  });
});

describe('namedTexts', () => {
  it('reads objects, pairs, and lists of names with values', () => {
    const sent = [['a', 1], { name: 'b', value: true }, { key: 'c', value: [] }, ['d'], 'e', [7, 'f']];

    expect(namedTexts(sent)).toEqual([
      ['a', '1'],
      ['b', 'true'],
    ]);
    expect(namedTexts({ constructor: 'x', __proto__x: null })).toEqual([['constructor', 'x']]);
  });
});

describe('exceptionDetailsOf', () => {
  it('keeps the innermost frames and exceptions above the limit', () => {
    const frames = Array.from({ length: 150 }, (_, index) => ({ filename: `f${index}`, lineno: index + 1 }));
    const values = Array.from({ length: 30 }, (_, index) => ({ type: `T${index}`, stacktrace: { frames } }));

    const details = exceptionDetailsOf({ exception: { values } });

    expect(details.map(({ type }) => type)).toEqual(
      Array.from({ length: 20 }, (_, index) => `T${29 - index}`),
    );
    expect(details[0]?.frames).toHaveLength(100);
    expect(details[0]?.frames[0]?.file).toBe('f149');
  });

  it('numbers the source lines it keeps around the failing one', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    const frame = {
      filename: 'f',
      lineno: 51,
      pre_context: lines,
      context_line: 'here',
      post_context: lines,
    };
    const values = [{ stacktrace: { frames: [frame] } }];

    const source = exceptionDetailsOf({ exception: { values } })[0]?.frames[0]?.source;

    expect(source).toHaveLength(21);
    expect(source?.[0]).toEqual({ number: 41, text: 'line 40' });
    expect(source?.[10]).toEqual({ number: 51, text: 'here' });
  });
});
