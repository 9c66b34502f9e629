import { readHostConfig } from './host-settings.ts';

describe('readHostConfig', () => {
  it('reads no setting that has no effect in another application', () => {
    const { config, ignored } = readHostConfig(
      { PORT: '/run/app.sock', HOST: ' any ', ERRATA_BASE_PATH: 'no path', ERRATA_GATEWAY_PORT: 'any' },
      {},
      true,
    );

    expect(config).toMatchObject({ managementPort: null, gatewayPort: null, basePath: '' });
    expect(ignored).toEqual([]);
  });

  it('reads the address of a management port, and neither without HTTP', () => {
    const environment = { HOST: '10.0.0.7', MANAGEMENT_PORT: '9464' };
    const script = { HOST: ' any ', MANAGEMENT_PORT: 'none' };

    expect(readHostConfig(environment, {}, true).config).toMatchObject({
      host: '10.0.0.7',
      managementPort: 9_464,
    });
    expect(readHostConfig(script, {}, false).config.managementPort).toBeNull();
    expect(() => readHostConfig(script, {}, true)).toThrow('MANAGEMENT_PORT: expected');
  });

  it.each([
    ['LOG_LEVEL', 'verbose', 'LOG_LEVEL: ignored, it is no level of Errata'],
    ['LOG_LEVEL', 'INFO', 'LOG_LEVEL: ignored, it is no level of Errata'],
    ['DATABASE_URL', 'mysql://shop:secret@db/shop', 'DATABASE_URL: ignored, it is no PostgreSQL'],
    ['DATABASE_URL', 'file:./dev.db', 'DATABASE_URL: ignored, it is no PostgreSQL'],
    ['HTTPS_PROXY', 'socks5://u:secret@proxy:1080', 'HTTPS_PROXY: ignored, it is no http or https address'],
    ['http_proxy', 'proxy:3128', 'http_proxy: ignored, it is no http or https address'],
  ])('leaves %s=%s to the application, with one line', (name, value, line) => {
    const { config, ignored } = readHostConfig({ [name]: value }, {}, true);

    expect(ignored).toEqual([expect.stringContaining(line)]);
    expect(ignored.join()).not.toContain('secret');
    expect(config).toMatchObject({
      logLevel: 'info',
      databaseUrl: null,
      httpsProxy: null,
      httpProxy: null,
    });
  });

  it.each([
    ['LOG_LEVEL', 'debug', 'logLevel'],
    ['DATABASE_URL', 'postgres://errata@db/errata', 'databaseUrl'],
  ])('takes %s=%s for a setting of Errata', (name, value, key) => {
    const { config, ignored } = readHostConfig({ [name]: value }, {}, true);

    expect(config).toHaveProperty(key, value);
    expect(ignored).toEqual([]);
  });

  it.each([
    ['a PostgreSQL that is none', { DATABASE_URL: 'postgres://db/errata?sslmode=on' }, {}, /^DATABASE_URL: /],
    ['a PostgreSQL in quotes', { DATABASE_URL: '"postgres://db/errata"' }, {}, /^DATABASE_URL: /],
    ['a level in the code', {}, { LOG_LEVEL: 'verbose' }, /^LOG_LEVEL: expected fatal/],
    ['a misspelt name in the code', {}, { SENTRY_DNS: 'x' }, /^SENTRY_DNS: no such setting/],
  ])('refuses %s', (_, environment, settings, line) => {
    expect(() => readHostConfig(environment, settings, true)).toThrow(line);
  });

  it('lets the code pass the whole environment on, and take back one setting', () => {
    const environment = { NODE_ENV: 'test', DATABASE_URL: 'postgres://shop@db/shop' };

    const { config } = readHostConfig(environment, { ...environment, DATABASE_URL: undefined }, true);

    expect(config.databaseUrl).toBeNull();
  });
});
