import fc from 'fast-check';
import { parseExact } from './exact-json.ts';
import { scrubEvent } from './scrub-event.ts';

const filtered = '[Filtered]';

const nested = (levels: number): unknown => (levels === 0 ? 'core' : { in: nested(levels - 1) });

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('scrubEvent', () => {
  it('scrubs cookies, headers, body and query string of the request', () => {
    const request = {
      url: 'https://shop.example/pay?key=abc&page=2',
      cookies: { theme: 'dark', sid: 'abc' },
      headers: {
        Accept: '*/*',
        Cookie: 'sid=abc',
        'X-Api-Key': 'abc',
        Referer: 'https://a.example/?token=abc',
      },
      query_string: 'key=abc&page=2',
      data: { user: 'ann', pass: 'abc', nested: { credentials: { any: 'abc' } } },
      env: { REMOTE_ADDR: '10.0.0.7', AWS_ACCESS_KEY_ID: 'abc' },
    };

    expect(scrubEvent({ request })).toEqual({
      request: {
        url: 'https://shop.example/pay?key=[Filtered]&page=2',
        cookies: filtered,
        headers: {
          Accept: '*/*',
          Cookie: filtered,
          'X-Api-Key': filtered,
          Referer: 'https://a.example/?token=[Filtered]',
        },
        query_string: 'key=[Filtered]&page=2',
        data: { user: 'ann', pass: filtered, nested: { credentials: filtered } },
        env: { REMOTE_ADDR: '10.0.0.7', AWS_ACCESS_KEY_ID: filtered },
      },
    });
  });

  it('scrubs pairs written as lists and as names with values', () => {
    const event = {
      request: {
        headers: [
          ['Cookie', 'abc'],
          ['Accept', '*/*'],
        ],
        query_string: [
          ['key', 'abc'],
          ['page', '2'],
        ],
      },
      tags: [
        ['token', 'abc'],
        ['page', '2'],
      ],
      extra: {
        list: [
          { name: 'password', value: 'abc' },
          { key: 'page', value: '2' },
        ],
      },
    };

    expect(scrubEvent(event)).toEqual({
      request: {
        headers: [
          ['Cookie', filtered],
          ['Accept', '*/*'],
        ],
        query_string: [
          ['key', filtered],
          ['page', '2'],
        ],
      },
      tags: [
        ['token', filtered],
        ['page', '2'],
      ],
      extra: {
        list: [
          { name: 'password', value: filtered },
          { key: 'page', value: '2' },
        ],
      },
    });
  });

  it('scrubs JSON and forms in a string', () => {
    const event = {
      request: { data: '{"user": "ann", "credentials": {"any": "abc"}}' },
      extra: { body: 'pass=abc&page=2' },
    };

    expect(scrubEvent(event)).toEqual({
      request: { data: '{"user":"ann","credentials":"[Filtered]"}' },
      extra: { body: 'pass=[Filtered]&page=2' },
    });
  });

  it('keeps JSON in a string unchanged when nothing in it is secret', () => {
    expect(scrubEvent({ data: '{"user": "ann",  "page": 1e3}' })).toEqual({
      data: '{"user": "ann",  "page": 1e3}',
    });
  });

  it('scrubs two levels of JSON in JSON and truncates the next, but no text in brackets', () => {
    const body = (text: string) => JSON.stringify({ first: JSON.stringify({ second: text, page: 1 }) });

    expect(scrubEvent({ json: body('{"any":1}'), text: body('[object Object]') })).toEqual({
      json: body('[Truncated]'),
      text: body('[object Object]'),
    });
  });

  it('scrubs messages, breadcrumbs, local variables and source lines', () => {
    const frame = { vars: { password: 'abc', page: 2 }, context_line: "const secret = 'abc';" };
    const event = {
      exception: { values: [{ value: 'no login with password=abc', stacktrace: { frames: [frame] } }] },
      breadcrumbs: [{ data: { url: 'https://ann:abc@a.example/' }, message: 'Bearer abc123' }],
    };

    expect(scrubEvent(event)).toEqual({
      exception: {
        values: [
          {
            value: 'no login with password=[Filtered]',
            stacktrace: {
              frames: [
                { vars: { password: filtered, page: 2 }, context_line: "const secret = '[Filtered]';" },
              ],
            },
          },
        ],
      },
      breadcrumbs: [{ data: { url: 'https://[Filtered]@a.example/' }, message: 'Bearer [Filtered]' }],
    });
  });

  it('keeps the user, ids, booleans and null, because support finds errors by them', () => {
    const event = {
      event_id: '41111111111111110000000000000000',
      user: { id: '7', email: 'ann@example.com', username: 'ann', ip_address: '10.0.0.7' },
      contexts: { trace: { trace_id: '0123456789abcdef0123456789abcdef', span_id: '4111111111111111' } },
      extra: { hasToken: true, token: null, password: '' },
    };

    expect(scrubEvent(event)).toEqual(event);
  });

  it('keeps versions of packages whose names sound secret', () => {
    const event = {
      modules: { cookie: '1.0.2', 'express-session': '1.18.1' },
      sdk: { integrations: ['BrowserSession'] },
    };

    expect(scrubEvent(event)).toEqual(event);
  });

  it('removes a card number that is a JSON number', () => {
    expect(scrubEvent({ extra: { card: 4111111111111111, order: 4111111111111112 } })).toEqual({
      extra: { card: filtered, order: 4111111111111112 },
    });
  });

  it('truncates strings at 16,384 characters, never within a character, and marks the end', () => {
    const { text } = scrubEvent({ text: `${'a'.repeat(16_382)}🙂b` }) as { text: string };

    expect(text).toBe(`${'a'.repeat(16_382)}…`);
  });

  it('removes a secret before it truncates', () => {
    expect(JSON.stringify(scrubEvent({ text: `${'a'.repeat(16_370)} 4111111111111111` }))).not.toContain(
      '4111',
    );
  });

  it('truncates the strings and names beyond 1 MiB of characters', () => {
    const long = 'a'.repeat(2 ** 16);
    const list = Array.from({ length: 20 }, () => long);

    expect(scrubEvent({ list, [long]: 1, tail: 'short' })).toEqual({
      list: list.map((_, index) => (index < 15 ? `${'a'.repeat(16_383)}…` : '[Truncated]')),
      '[Truncated]': '[Truncated]',
      tail: 'short',
    });
  });

  it('truncates JSON in a string beyond 1 MiB and below 32 levels', () => {
    const long = JSON.stringify(Array.from({ length: 2 ** 19 }, () => 0));

    expect(scrubEvent({ long })).toEqual({ long: '[Truncated]' });
    expect(scrubEvent({ deep: JSON.stringify(nested(32)) })).toEqual({
      deep: expect.stringContaining('"[Truncated]"'),
    });
  });

  it('keeps the newest 100 breadcrumbs, in both shapes', () => {
    const crumbs = Array.from({ length: 150 }, (_, index) => ({ n: index }));

    expect(scrubEvent({ breadcrumbs: crumbs })).toEqual({ breadcrumbs: crumbs.slice(-100) });
    expect(scrubEvent({ breadcrumbs: { values: crumbs } })).toEqual({
      breadcrumbs: { values: crumbs.slice(-100) },
    });
  });

  it('keeps 1,000 entries of a list, and of frames the innermost', () => {
    const list = Array.from({ length: 1_500 }, (_, index) => index);

    expect(scrubEvent({ list, frames: list })).toEqual({
      list: list.slice(0, 1_000),
      frames: list.slice(-1_000),
    });
  });

  it('truncates below 32 levels, also circular values', () => {
    const circle: { in?: unknown } = {};
    circle.in = [circle, circle];

    expect(depthOf(scrubEvent(nested(5_000)))).toBe(32);
    expect(depthOf(scrubEvent(circle))).toBe(32);
  });

  it('does not let __proto__ change a prototype', () => {
    const scrubbed = scrubEvent(
      JSON.parse('{"__proto__":{"isAdmin":true},"a":{"__proto__":{"isAdmin":true}}}'),
    );

    expect(scrubbed).toEqual({ a: {} });
    expect(Reflect.get(Object(scrubbed), 'isAdmin')).toBeUndefined();
  });

  it('does not change its argument', () => {
    const event = { extra: { password: 'abc', list: ['password=abc'] } };
    scrubEvent(event);

    expect(event).toEqual({ extra: { password: 'abc', list: ['password=abc'] } });
  });

  it('never throws, and returns its own output unchanged', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), (value) => {
        const once = scrubEvent(value);

        expect(scrubEvent(once)).toEqual(once);
      }),
    );
  });

  it('S8: removes a planted secret in any place', () => {
    const secret = fc.uuid().map((id) => `s3cr3t${id.replaceAll('-', '')}`);
    const planting = fc.constantFrom<(secret: string) => unknown>(
      (s) => ({ password: s }),
      (s) => ({ user_api_key: { deep: [s] } }),
      (s) => ({ headers: { Authorization: `Bearer ${s}` } }),
      (s) => ({ headers: [['cookie', `a=${s}`]] }),
      (s) => ({ request: { cookies: [['a', s]] } }),
      (s) => [['token', s]],
      (s) => ({ name: 'csrf', value: s }),
      (s) => `{"body":{"secret":"${s}"}}`,
      (s) => `{"cut":{"secret":"${s}`,
      (s) => `user=ann&passwd=${s}`,
      (s) => `https://ann:${s}@host.example/`,
      (s) => `/path?access_token=${s}&page=1`,
      (s) => `-----BEGIN PRIVATE KEY-----\n${s}\n-----END PRIVATE KEY-----`,
      (s) => `failed with token=${s} and more`,
      (s) => JSON.stringify(JSON.stringify({ authToken: s })),
    );
    const place = fc.array(fc.constantFrom('extra', 'contexts', 'data', 'values', 'tags', 'a'), {
      maxLength: 6,
    });

    fc.assert(
      fc.property(secret, planting, place, (planted, plant, path) => {
        const event = path.reduceRight<unknown>((inner, key) => ({ page: 1, [key]: inner }), plant(planted));

        expect(JSON.stringify(scrubEvent(event))).not.toContain(planted);
      }),
    );
  });

  it('keeps the digits of numbers, but for card numbers', () => {
    const event = parseExact('{"id":1100000000000000001,"price":1.0,"card":4000000000000000006}');

    expect(JSON.stringify(scrubEvent(event))).toBe(
      '{"id":1100000000000000001,"price":1.0,"card":"[Filtered]"}',
    );
  });

  it('keeps the digits of numbers in a body of JSON', () => {
    const body = '{"password":"hunter2","id":1100000000000000001}';

    expect(scrubEvent({ body })).toEqual({ body: '{"password":"[Filtered]","id":1100000000000000001}' });
  });
});
