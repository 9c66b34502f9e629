import { readConfig } from './config.ts';

const SUPPORT_URL = 'mailto:help@shop.example?subject={digest}';

describe('the settings of a client', () => {
  it('are read', () => {
    const config = readConfig({
      ERRATA_CLIENT_ROUTES: '/orders/:id, /docs/*',
      ERRATA_CSP: 'computed',
      ERRATA_CSP_EXTRA:
        "connect-src https://api.example;font-src  'self' https://f.example; connect-src wss:;",
      ERRATA_HSTS: '63072000; includeSubDomains',
    });

    expect(config).toMatchObject({
      clientRoutes: ['/orders/:id', '/docs/*'],
      csp: 'computed',
      cspExtra: {
        'connect-src': ['https://api.example', 'wss:'],
        'font-src': ["'self'", 'https://f.example'],
      },
      hsts: { maxAge: 63_072_000, includeSubDomains: true },
    });
    expect(readConfig({ ERRATA_CLIENT_ROUTES: 'spa', ERRATA_HSTS: 'off' })).toMatchObject({
      clientRoutes: 'spa',
      hsts: 'off',
    });
    expect(readConfig({ ERRATA_HSTS: '0' }).hsts).toEqual({ maxAge: 0, includeSubDomains: false });
  });

  it.each([
    [
      'ERRATA_CLIENT_ROUTES',
      'all',
      'expected files, spa, or a list: expected a path such as /orders/:id or /docs/*, but "all" is none',
    ],
    [
      'ERRATA_CLIENT_ROUTES',
      'spa,/a',
      'expected files, spa, or a list: expected a path such as /orders/:id or /docs/*, but "spa" is none',
    ],
    [
      'ERRATA_CLIENT_ROUTES',
      '/a,,/b',
      'expected files, spa, or a list: expected a path such as /orders/:id or /docs/*, but an entry is empty',
    ],
    ['ERRATA_BASE_PATH', 'errata', 'expected a path such as /errata, without a trailing slash'],
    ['ERRATA_BASE_PATH', '/errata/', 'expected a path such as /errata, without a trailing slash'],
    ['ERRATA_CSP', 'on', 'expected computed, report-only or off'],
    [
      'ERRATA_CSP_EXTRA',
      'connect-src http://',
      'expected directives such as connect-src https://api.example, but "http://" in connect-src is no source',
    ],
    ['ERRATA_HSTS', 'on', 'expected off, seconds, or 63072000; includeSubDomains'],
    ['ERRATA_ERROR_PAGE', 'on', 'expected plain or helpful'],
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'https:',
      'help@shop.example',
      'mailto:a b@shop.example',
      'https://shop.example/\u202Ea',
      'https://shop.example/\u200Ba',
    ].map((url) => ['ERRATA_SUPPORT_URL', url, `expected an address such as ${SUPPORT_URL}, without blanks`]),
    ...[
      'https://shop.example/{Digest}',
      'https://shop.example/{{digest}}',
      'https://shop.example/{code',
      'https://{digest}.shop.example/',
      'HTTPS://{digest}@shop.example/',
      'mailto:help@{reference}.example',
    ].map((url) => [
      'ERRATA_SUPPORT_URL',
      url,
      'expected no placeholder but {digest} and {reference}, and none in the host',
    ]),
    ['ERRATA_SUPPORT_URL', `https://shop.example/${'x'.repeat(500)}`, 'expected at most 500 characters'],
    ['ERRATA_HSTS', '1y', 'expected off, seconds, or 63072000; includeSubDomains'],
  ])('refuses %s=%s', (name, text, problem) => {
    expect(() => readConfig({ [name]: text })).toThrow(`${name}: ${problem}, got ${JSON.stringify(text)}`);
  });

  it.each([
    SUPPORT_URL,
    'mailto:help+{digest}@shop.example',
    'https://help.example/?code={digest}&of={reference}',
    'http://help.internal',
  ])('are read: ERRATA_SUPPORT_URL=%s', (url) => {
    const config = readConfig({ ERRATA_ERROR_PAGE: 'helpful', ERRATA_SUPPORT_URL: url });

    expect(config).toMatchObject({ errorPage: 'helpful', supportUrl: url });
    expect(readConfig({})).toMatchObject({ errorPage: 'plain', supportUrl: null });
  });

  it.each([{}, { ERRATA_ERROR_PAGE: 'plain' }])(
    'refuse an address for support on plain pages: %j',
    (page) => {
      expect(() => readConfig({ ...page, ERRATA_SUPPORT_URL: SUPPORT_URL })).toThrow(
        /^ERRATA_SUPPORT_URL: needs ERRATA_ERROR_PAGE=helpful$/,
      );
    },
  );
});
