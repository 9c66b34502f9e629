import fc from 'fast-check';
import { costOf, growthOf, MAX_COST, MAX_GROWTH } from '../time/growth.fixture.ts';
import { scrubQuery, scrubText } from './scrub-text.ts';

const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----';

describe('scrubText', () => {
  it.each([
    ['password=hunter2', 'password=[Filtered]'],
    ['login failed, password: hunter2!', 'login failed, password: [Filtered]'],
    ['{"apiKey":"abc","page":1}', '{"apiKey":"[Filtered]","page":1}'],
    ['{"password":"a\\"b","page":1}', '{"password":"[Filtered]","page":1}'],
    ['{\\"password\\":\\"abc\\",\\"page\\":1}', '{\\"password\\":\\"[Filtered]\\",\\"page\\":1}'],
    ["{ secret: 'two words', page: 1 }", "{ secret: '[Filtered]', page: 1 }"],
    ['user[access_token]=abc&page=1', 'user[access_token]=[Filtered]&page=1'],
    ['token: 0a1b2c3d4e', 'token: [Filtered]'],
    ['auth: x:password=abc', 'auth: x:password=[Filtered]'],
    ['next=%2Fa%3FauthToken%3Dabc', 'next=%2Fa%3FauthToken%3D[Filtered]'],
    ['Authorization: Bearer abc.def-123', 'Authorization: Bearer [Filtered]'],
    ['sent Bearer abcdef twice', 'sent Bearer [Filtered] twice'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [Filtered]'],
    ['got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln back', 'got [Filtered] back'],
    ['Cookie: theme=dark; sid=abc\nAccept: */*', 'Cookie: [Filtered]\nAccept: */*'],
    [`Cookie: ${'a.'.repeat(99)}=b; theme=dark`, 'Cookie: [Filtered]'],
    ['no cookie: set-cookie: a=b; theme=dark', 'no cookie: set-cookie: [Filtered]'],
    ['at https://ann:pa55@db.example/x', 'at https://[Filtered]@db.example/x'],
    ['postgres://app:p@ss:w@db:5432/app', 'postgres://[Filtered]@db:5432/app'],
    ['GET /a?page=1&key=abc&sid=x#top', 'GET /a?page=1&key=[Filtered]&sid=[Filtered]#top'],
    ['GET /a?pass%77ord=abc', 'GET /a?pass%77ord=[Filtered]'],
    [`key is ${pem} ok`, 'key is [Filtered] ok'],
    [`key is ${pem.slice(0, 40)}`, 'key is [Filtered]'],
    ['paid with 4111 1111 1111 1111.', 'paid with [Filtered].'],
  ])('removes the secret from %j', (text, scrubbed) => {
    expect(scrubText(text)).toBe(scrubbed);
  });

  it.each([
    "Cannot read properties of undefined (reading 'token')",
    'Unexpected token < in JSON at position 0',
    'Invalid token: unexpected end of input',
    'session: expired for ann@example.com',
    'Basic authentication is required, Bearer token missing',
    'const token = request.headers.authorization;',
    'interface Login { password: string; session: SessionState }',
    '{"password":null,"hasToken":true}',
    'https://a.example/auth/login?page=2',
    'webpack://@errata/frontend/./src/main.tsx',
    '-----BEGIN CERTIFICATE-----',
    'Digest: 7KQ4-M2XD',
    'by the author: Ann Example, 2024',
  ])('keeps %j unchanged', (text) => {
    expect(scrubText(text)).toBe(text);
  });

  it('returns its own output unchanged', () => {
    const words =
      'password token auth cookie sid Bearer Basic null abc123 4111111111111111 eyJabcde.fghij.k x … [Filtered]';
    const signs = '= : " \' \\" & ? // @ %3D { } [ ] , -';
    const parts = [
      ...`${words} ${signs}`.split(' '),
      ' ',
      '\n',
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
    ];
    const text = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 3 })), {
      maxLength: 12,
    });

    fc.assert(
      fc.property(text, (each) => {
        const once = scrubText(each.join(''));

        expect(scrubText(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  const withSpaces = [
    '1 ',
    '4 ',
    '5 5 ',
    '4111 ',
    'AA00 AAAA ',
    'auth: x ',
    'token: ',
    'cookie: ',
    'Bearer ',
    'PRIVATE KEY ',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY ',
  ];
  const without =
    'a 4- 4111- 123-45- password password= // //a@ ?a= &a=%41 ? " \\\' eyJ cookie: DE89 00000000- auth:x:'.split(
      ' ',
    );
  /** Characters of a string that are scrubbed; see scrub-event.ts. */
  const length = 2 ** 16;
  const filled = (unit: string, size = length) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  /** A log in which each rule has something to read. */
  const plain = filled(
    '2024-05-06T07:08:09.123Z POST https://shop.example/login?page=2&next=%2Fcart 401 session: expired, order 202405060708091 of ann@example.com, 12 of 40 items\n',
  );

  it.each([...withSpaces, ...without])('takes time in proportion to the length of many %j', (unit) => {
    const growth = growthOf(length, (size) => {
      scrubText(`-----BEGIN ${filled(unit, size)}`);
      scrubText(filled(unit, size));
    });

    expect(growth).toBeLessThan(MAX_GROWTH);
  });

  it.each([...withSpaces, ...without])('takes a small multiple of the time of a log for many %j', (unit) => {
    const hostile = filled(unit);

    const cost = costOf(
      () => scrubText(hostile),
      () => scrubText(plain),
    );

    expect(cost).toBeLessThan(MAX_COST);
  });
});

describe('scrubQuery', () => {
  it('recognises the first parameter without a question mark', () => {
    expect(scrubQuery('key=abc&page=2')).toBe('key=[Filtered]&page=2');
  });
});
