import { policyDirectives } from './policy-sources.ts';

const HASH = "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='";

describe('policyDirectives', () => {
  it.each([
    'https://api.example',
    'https://api.example:8443/v1/orders',
    'http://127.0.0.1:8080',
    'api.example',
    '*.api.example:*',
    'localhost',
    '*',
    'https:',
    'data:',
    'wss://live.example',
    "'self'",
    "'unsafe-inline'",
    "'wasm-unsafe-eval'",
    "'strict-dynamic'",
    "'nonce-abc+/=='",
    HASH,
  ])('takes the source %s', (source) => {
    expect(policyDirectives.parse(`script-src ${source}`)).toEqual({ 'script-src': [source] });
  });

  it.each([
    ['nonsense', '"nonsense" is no directive to add to'],
    ['foo-src https://x.example', '"foo-src" is no directive to add to'],
    ['https://api.example', '"https://api.example" is no directive to add to'],
    ['report-uri /mine', '"report-uri" is no directive to add to'],
    ['sandbox allow-forms', '"sandbox" is no directive to add to'],
    ['connect-src', 'connect-src names no source'],
    ['font-src https://a.example; connect-src ;', 'connect-src names no source'],
    ['connect-src http://', '"http://" in connect-src is no source'],
    ['connect-src https://', '"https://" in connect-src is no source'],
    ['connect-src <script>', '"<script>" in connect-src is no source'],
    [
      'connect-src https://a.example,https://b.example',
      '"https://a.example,https://b.example" in connect-src is no source',
    ],
    ['connect-src https://a.example?b', '"https://a.example?b" in connect-src is no source'],
    ['connect-src https://*.*.example', '"https://*.*.example" in connect-src is no source'],
    ["script-src 'none'", "'none' adds no source to script-src"],
    ['script-src self', '"self" in script-src needs single quotes'],
    ['script-src unsafe-inline', '"unsafe-inline" in script-src needs single quotes'],
    ["script-src 'sha256-'", `"'sha256-'" in script-src is no source`],
    ["script-src 'sha1-abcd'", `"'sha1-abcd'" in script-src is no source`],
    ['img-src a\r\nSet-Cookie: b', '"a\\r\\nSet-Cookie:" in img-src is no source'],
    ['upgrade-insecure-requests https:', 'upgrade-insecure-requests has no sources, and "https:" is one'],
  ])('refuses %j', (text, fault) => {
    const { error } = policyDirectives.safeParse(text);

    expect(error?.issues.map(({ message }) => message)).toEqual([
      `expected directives such as connect-src https://api.example, but ${fault}`,
    ]);
  });

  it('joins directives of one name, and leaves out empty ones', () => {
    expect(policyDirectives.parse('img-src a.example;; upgrade-insecure-requests;img-src  data: ')).toEqual({
      'img-src': ['a.example', 'data:'],
      'upgrade-insecure-requests': [],
    });
  });
});
