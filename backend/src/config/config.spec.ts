import { ConfigErrors, readConfig } from './config.ts';

function errorsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment, () => {
      throw new Error('ENOENT');
    });
  } catch (error) {
    if (error instanceof ConfigErrors) return error.errors;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('has a default for everything', () => {
    const config = readConfig({});

    expect(config.port).toBe(3000);
    expect(config.host).toBe('127.0.0.1');
    expect(config.spoolMaxBytes).toBe(512 * 2 ** 20);
    expect(config.spoolMaxAgeMs).toBe(7 * 86_400_000);
    expect(config.sentryDsn).toBeNull();
    expect(config.tunnelDsns).toEqual([]);
    expect(config.demo).toBe(false);
  });

  it('is frozen', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });

  it('lists every error at once', () => {
    const errors = errorsOf({ PORT: 'abc', ERRATA_DEMO: 'yes', ERRATA_TUNEL_PATH: '/t', LOG_LEVEL: 'loud' });

    expect(errors).toHaveLength(4);
    expect(errors.join('\n')).toContain('PORT: expected a port number from 0 to 65535, got "abc"');
    expect(errors.join('\n')).toContain('ERRATA_TUNEL_PATH: no such setting');
  });

  it('treats an empty variable as absent', () => {
    expect(readConfig({ PORT: '', SENTRY_DSN: '' }).port).toBe(3000);
  });

  it('never prints the value of a secret', () => {
    const errors = errorsOf({ ERRATA_CONSOLE_TOKEN: 'short-secret', SENTRY_DSN: 'https://k3y@' });

    expect(errors).toHaveLength(2);
    expect(errors.join('\n')).not.toContain('short-secret');
    expect(errors.join('\n')).not.toContain('k3y');
  });

  it.each([
    ['ERRATA_CONSOLE_TOKEN', '"a-token-of-some-length"', 'is in quotes'],
    ['ERRATA_SUPPORT_TOKEN', "'a-token-of-some-length'", 'is in quotes'],
    ['OIDC_CLIENT_SECRET', '""', 'is in quotes'],
    ['SENTRY_RELEASE', '"shop@1"', 'is in quotes'],
    ['PORT', "'3000'", 'is in quotes'],
    ['SENTRY_DSN', '"https://k3y@o1.ingest.example/1"', 'is in quotes'],
    ['ERRATA_TUNNEL_ORIGINS', "'https://a.example'", 'is in quotes'],
    ['ERRATA_CONSOLE_TOKEN', 'a-token-of-some-length\n', 'begins or ends with a blank'],
    ['OIDC_CLIENT_SECRET', ' a-secret-of-some-length', 'begins or ends with a blank'],
    ['OIDC_ISSUER', 'https://id.example ', 'begins or ends with a blank'],
    ['SENTRY_DSN', 'https://k3y@o1.ingest.example/1\r\n', 'begins or ends with a blank'],
    ['ERRATA_CONSOLE_TOKEN_FILE', '"/run/token"', 'is in quotes'],
    ['DATABASE_URL_FILE', '/run/database-url ', 'begins or ends with a blank'],
  ])('refuses %s=%j, which %s', (name, value, problem) => {
    const errors = errorsOf({ [name]: value });

    expect(errors).toContainEqual(expect.stringMatching(`^${name}: ${problem}`));
    expect(errors.join()).not.toMatch(/k3y|of-some-length/);
  });

  it.each([
    ['ERRATA_CONSOLE_TOKEN', 'it is "mine", they\'re not', 'consoleToken', 'it is "mine", they\'re not'],
    ['ERRATA_TUNNEL_ORIGINS', ' https://a.example ', 'tunnelOrigins', ['https://a.example']],
    ['ERRATA_TUNNEL_ORIGINS', '"https://a.example"', 'tunnelOrigins', ['https://a.example']],
    ['DATABASE_URL', 'postgres://a@b/c\n', 'databaseUrl', 'postgres://a@b/c'],
  ] as const)('accepts %s=%j', (name, value, key, read) => {
    expect(readConfig({ [name]: value })[key]).toEqual(read);
  });

  it('reads a secret from its file', () => {
    const config = readConfig({ ERRATA_CONSOLE_TOKEN_FILE: '/run/token' }, () => 'a-token-of-some-length\n');

    expect(config.consoleToken).toBe('a-token-of-some-length');
  });

  it('refuses a secret given twice, and a file it cannot read', () => {
    const twice = errorsOf({
      ERRATA_CONSOLE_TOKEN: 'a-token-of-some-length',
      ERRATA_CONSOLE_TOKEN_FILE: '/x',
    });
    const unreadable = errorsOf({ DATABASE_URL_FILE: '/run/none' });

    expect(twice).toEqual(['ERRATA_CONSOLE_TOKEN and ERRATA_CONSOLE_TOKEN_FILE are both set; keep one']);
    expect(unreadable).toEqual(['DATABASE_URL_FILE: cannot read /run/none']);
  });

  it.each([
    'ERRATA_SERVICE_HOST',
    'ERRATA_SERVICE_PORT',
    'ERRATA_SERVICE_PORT_HTTP',
    'ERRATA_PORT',
    'ERRATA_PORT_3000_TCP',
    'ERRATA_PORT_3000_TCP_ADDR',
    'ERRATA_WEB_PORT',
  ])('ignores %s, which Kubernetes makes for a Service', (name) => {
    expect(errorsOf({ [name]: 'tcp://10.0.0.1:3000' })).toEqual([]);
  });

  it.each([
    'tcp://10.96.0.7:9464',
    'udp://10.96.0.7:53',
    'sctp://10.96.0.7:80',
    'tcp://[fd00:10:96::7]:9464',
  ])('passes over MANAGEMENT_PORT=%s, which Kubernetes makes for a Service called management', (value) => {
    const environment = { MANAGEMENT_PORT: value, MANAGEMENT_SERVICE_HOST: '10.96.0.7' };

    expect(readConfig(environment).managementPort).toBe(9464);
  });

  it.each([
    ['MANAGEMENT_PORT', 'tcp://metrics', ', or off'],
    ['MANAGEMENT_PORT', 'http://10.96.0.7:9464', ', or off'],
    ['PORT', 'tcp://10.96.0.7:3000', ''],
  ])('refuses %s=%s, which Kubernetes does not make', (name, value, or) => {
    expect(errorsOf({ [name]: value })).toEqual([
      `${name}: expected a port number from 0 to 65535${or}, got "${value}"`,
    ]);
  });

  it.each([
    [{}, null],
    [{ MANAGEMENT_PORT: '' }, null],
    [{ MANAGEMENT_PORT: 'tcp://10.96.0.7:9464' }, null],
    [{ MANAGEMENT_PORT: '9500' }, 9500],
  ])('has the default of another application for %j', (environment, expected) => {
    const { managementPort } = readConfig(environment, undefined, { MANAGEMENT_PORT: 'off' });

    expect(managementPort).toBe(expected);
  });

  it.each(['ERRATA_URL', 'ERRATA_VERSION'])('ignores %s, a setting of another program', (name) => {
    expect(errorsOf({ [name]: 'x' })).toEqual([]);
  });

  it.each(['ERRATA_DEDUP_KEYS', 'ERRATA_MAX_CONNECTIONS', 'ERRATA_OTHER_MAX_AGE'])(
    'refuses %s, which was removed',
    (name) => {
      expect(errorsOf({ [name]: '1' })).toEqual([`${name}: no such setting (see docs/configuration.md)`]);
    },
  );

  it.each([
    ['1GiB', 2 ** 30],
    ['64KiB', 65_536],
    ['1048576', 1_048_576],
  ])('reads the size %s', (text, expected) => {
    expect(readConfig({ ERRATA_BODY_MEMORY: text }).bodyMemoryBytes).toBe(expected);
  });

  it('reads origins of sites, of apps in web views and of extensions', () => {
    const origins = [
      'https://app.example',
      'http://[::1]:8080',
      'capacitor://localhost',
      'moz-extension://0a-1b',
      'file://',
      'null',
    ];

    expect(readConfig({ ERRATA_TUNNEL_ORIGINS: origins.join(', ') }).tunnelOrigins).toEqual(origins);
  });

  it.each([
    'https://*.example.com',
    '*',
    'https://App.example',
    'https://app.example/',
    'capacitor://*',
    'capacitor://a/b',
    'app.example',
  ])('refuses the origin %s, which no page has', (text) => {
    expect(errorsOf({ ERRATA_TUNNEL_ORIGINS: text })).toEqual([
      expect.stringMatching(/^ERRATA_TUNNEL_ORIGINS.*expected an origin such as .* or null, got /),
    ]);
  });

  it('refuses a replica above 0 without a shared database', () => {
    expect(errorsOf({ ERRATA_REPLICA: '1' })).toEqual([
      'ERRATA_REPLICA: replica 1 needs DATABASE_URL, so that replicas share one store; set it, or run one replica',
    ]);
  });

  it.each([
    [{ ERRATA_REPLICA: '0' }, 0],
    [{ ERRATA_REPLICA: '2', DATABASE_URL: 'postgres://errata@db.example/errata' }, 2],
  ])('reads the number of a replica from %j', (environment, expected) => {
    expect(readConfig(environment).replica).toBe(expected);
  });

  it.each(['-1', '1.5', 'errata-1', '01'])('refuses the number %s of a replica', (text) => {
    expect(errorsOf({ ERRATA_REPLICA: text })).toEqual([
      `ERRATA_REPLICA: expected a whole number, 0 or above, got "${text}"`,
    ]);
  });

  it('reports only the database of a replica whose DATABASE_URL is invalid', () => {
    const errors = errorsOf({ ERRATA_REPLICA: '1', DATABASE_URL: 'mysql://errata@db.example/errata' });

    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^DATABASE_URL: /);
  });

  it.each(['bogus', '', 'REQUIRE', 'allow', 'disable&sslmode=bogus'])('refuses the sslmode "%s"', (mode) => {
    const url = `postgres://errata:s3cret@db.example/errata?sslmode=${mode}`;

    expect(errorsOf({ DATABASE_URL: url })).toEqual([
      'DATABASE_URL: expected one of these values of sslmode: disable, no-verify, prefer, require, verify-ca, verify-full',
    ]);
  });

  it.each([
    ['5s', 5_000],
    ['250ms', 250],
    ['1m', 60_000],
    ['5', 5_000],
    ['0', 0],
  ])('reads the delay %s', (text, expected) => {
    expect(readConfig({ ERRATA_SHUTDOWN_DELAY: text }).shutdownDelayMs).toBe(expected);
  });

  it.each(['five', '5 s', '-5', '1.5s', '9999999999'])('refuses the delay %s', (text) => {
    const errors = errorsOf({ ERRATA_SHUTDOWN_DELAY: text });

    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^ERRATA_SHUTDOWN_DELAY: expected a duration such as 250ms, 30s, .*, got /);
  });

  it('refuses a duration without a unit everywhere else', () => {
    expect(errorsOf({ ERRATA_DRAIN_TIMEOUT: '10' })).toHaveLength(1);
  });

  it('refuses a spool without room for an envelope', () => {
    expect(errorsOf({ ERRATA_SPOOL_MAX_BYTES: '5' })).toEqual([
      'ERRATA_SPOOL_MAX_BYTES: expected at least 1MiB, such as 512MiB, got "5"',
    ]);
  });

  it('reads lists of DSNs and of networks', () => {
    const config = readConfig({
      ERRATA_TUNNEL_DSNS: 'https://abc@one.example/1, http://def@two.example:9000/sub/2',
      ERRATA_TRUST_PROXY: '10.0.0.0/8,::1',
    });

    expect(config.tunnelDsns.map((dsn) => dsn.host)).toEqual(['one.example', 'two.example']);
    expect(config.trustProxy).toEqual(['10.0.0.0/8', '::1']);
  });

  it.each([
    [
      'a support token that makes operators',
      { ERRATA_CONSOLE_TOKEN: 'one-token-for-both', ERRATA_SUPPORT_TOKEN: 'one-token-for-both' },
      'ERRATA_SUPPORT_TOKEN',
    ],
    ['a provider without a client', { OIDC_ISSUER: 'https://id.example' }, 'OIDC_CLIENT_ID'],
    [
      'a provider that no user may sign in with',
      { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'errata' },
      'OIDC_OPERATORS',
    ],
    [
      'a provider over plain http, which an attacker on the network can impersonate',
      { OIDC_ISSUER: 'http://id.example', OIDC_CLIENT_ID: 'errata', OIDC_OPERATORS: '*' },
      'OIDC_ISSUER',
    ],
    [
      'a group with a comma that is not in quotes',
      { OIDC_SUPPORT: 'group:cn=sre,ou=groups' },
      'OIDC_SUPPORT',
    ],
    ['a scope that is not OpenID Connect', { OIDC_SCOPE: 'email' }, 'OIDC_SCOPE'],
  ])('refuses %s', (_, environment, named) => {
    const errors = errorsOf(environment);

    expect(errors.some((fault) => fault.includes(named))).toBe(true);
    expect(errors.join()).not.toContain('one-token-for-both');
  });

  it('takes a provider over https, and over http on loopback', () => {
    const provider = { OIDC_CLIENT_ID: 'errata', OIDC_SUPPORT: 'group:helpdesk, ann@example.org' };

    const issuers = ['https://id.example/realm', 'http://localhost:8080'];
    const configs = issuers.map((issuer) => readConfig({ ...provider, OIDC_ISSUER: issuer }));

    expect(configs.map(({ oidcIssuer }) => oidcIssuer)).toEqual(issuers);
    expect(configs[0]?.oidcSupport).toEqual(['group:helpdesk', 'ann@example.org']);
  });
});
