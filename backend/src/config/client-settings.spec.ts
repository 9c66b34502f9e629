import { readConfig } from './config.ts';

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
      'expected files, spa, or a list: expected a path such as /orders/:id or /docs/*',
    ],
    [
      'ERRATA_CLIENT_ROUTES',
      'spa,/a',
      'expected files, spa, or a list: expected a path such as /orders/:id or /docs/*',
    ],
    ['ERRATA_CSP', 'on', 'expected computed, report-only or off'],
    [
      'ERRATA_CSP_EXTRA',
      'https://api.example',
      'expected directives such as connect-src https://api.example',
    ],
    [
      'ERRATA_CSP_EXTRA',
      'img-src a\r\nSet-Cookie: b',
      'expected directives such as connect-src https://api.example',
    ],
    ['ERRATA_CSP_EXTRA', 'report-uri /mine', 'expected directives such as connect-src https://api.example'],
    ['ERRATA_HSTS', 'on', 'expected off, seconds, or 63072000; includeSubDomains'],
    ['ERRATA_HSTS', '1y', 'expected off, seconds, or 63072000; includeSubDomains'],
  ])('refuses %s=%s', (name, text, problem) => {
    expect(() => readConfig({ [name]: text })).toThrow(`${name}: ${problem}, got ${JSON.stringify(text)}`);
  });
});
