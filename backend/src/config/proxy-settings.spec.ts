import { readConfig } from './config.ts';

describe('the settings of the outgoing proxy', () => {
  it.each([
    [{ HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:1' }, ['http://a:1', null, '']],
    [
      { https_proxy: 'http://b:1', http_proxy: 'https://c:1', no_proxy: '.d' },
      ['http://b:1', 'https://c:1', '.d'],
    ],
    [{ HTTPS_PROXY: '', https_proxy: 'http://b:1', NO_PROXY: '', no_proxy: '*' }, [null, null, '']],
  ])('reads the proxies of %j', (environment, expected) => {
    const { httpsProxy, httpProxy, noProxy } = readConfig(environment);

    expect([httpsProxy, httpProxy, noProxy]).toEqual(expected);
  });

  it.each([
    'socks5://user:s3cret@proxy:1080',
    'proxy:3128',
    'http://user:s3cret%@proxy:3128',
    'http://user:s3cret%ff@proxy:3128',
  ])('refuses the proxy %s without its text', (HTTPS_PROXY) => {
    expect(() => readConfig({ HTTPS_PROXY })).toThrow(
      /^HTTPS_PROXY: expected an http or https address such as http:\/\/proxy.example:3128$/,
    );
  });
});
