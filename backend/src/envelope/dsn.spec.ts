import fc from 'fast-check';
import { canonicalDsn, type Dsn, envelopeUrl, parseDsn, tunnelHashPath } from './dsn.ts';
import { SAMPLE_DSN } from './envelope.fixture.ts';

function parsed(text: string): Dsn {
  const dsn = parseDsn(text);
  if (dsn === undefined) throw new Error(`no DSN: ${text}`);
  return dsn;
}

describe('parseDsn', () => {
  it('A7: reads scheme, key, host and project', () => {
    const dsn = parseDsn(SAMPLE_DSN);

    expect(dsn).toEqual({
      scheme: 'https',
      host: 'o1.ingest.sentry.io',
      port: null,
      path: '',
      projectId: '42',
      publicKey: 'abcdefabcdefabcdefabcdefabcdef12',
    });
  });

  it('A7: reads port and path prefix', () => {
    const dsn = parseDsn('http://key@sentry.example.com:9000/a/b/1');

    expect(dsn).toMatchObject({ scheme: 'http', port: 9000, path: '/a/b', projectId: '1' });
  });

  it.each(['https://key:secret@h.example/1', 'https://key:@h.example/1'])(
    'A7: accepts and drops the old secret of %s',
    (text) => {
      expect(canonicalDsn(parsed(text))).toBe('https://key@h.example/1');
    },
  );

  it.each([
    '[::1]',
    '[2001:db8::1]',
    '[::ffff:127.0.0.1]',
    '127.0.0.1',
    'localhost',
    'sentry_web',
    'a-b.example',
  ])('A7: accepts the host %s', (host) => {
    expect(parseDsn(`http://key@${host}:8080/1`)?.host).toBe(host);
  });

  it.each([
    ['another scheme', 'ftp://key@h.example/1'],
    ['a file', 'file://key@/etc/passwd'],
    ['no scheme', '//key@h.example/1'],
    ['no key', 'https://h.example/1'],
    ['an empty key', 'https://@h.example/1'],
    ['a key with other characters', 'https://k%65y@h.example/1'],
    ['no host', 'https://key@/1'],
    ['no path', 'https://key@h.example'],
    ['no project', 'https://key@h.example/'],
    ['a project that is no number', 'https://key@h.example/abc'],
    ['a project with a tail', 'https://key@h.example/42abc'],
    ['a second @', 'https://key@o1.ingest.sentry.io@evil.example/42'],
    ['an @ in the secret', 'https://key:a@evil.example@o1.ingest.sentry.io/42'],
    ['a query', 'https://key@h.example/1?x=1'],
    ['a query before the path', 'https://key@evil.example?@h.example/1'],
    ['a fragment', 'https://key@h.example/1#x'],
    ['a backslash', 'https://key@evil.example\\@h.example/1'],
    ['a line break', 'https://key@h.example/1\r\nX-Evil: 1'],
    ['a line break at the end', 'https://key@h.example/1\n'],
    ['a blank before it', ' https://key@h.example/1'],
    ['a tab in it', 'https://key@h.exa\tmple/1'],
    ['a NUL', 'https://key@h.example/1\u0000'],
    ['a host beyond ASCII', 'https://key@ex\u00e4mple.org/1'],
    ['a host that case folding would make ASCII', 'https://key@\u212aelvin.example/1'],
    ['an escaped host', 'https://key@h%2eexample/1'],
    ['an escaped path', 'https://key@h.example/a%2f/1'],
    ['a parent segment', 'https://key@h.example/../admin/1'],
    ['a parent segment before the project', 'https://key@h.example/a/../1'],
    ['a dot segment', 'https://key@h.example/./1'],
    ['an empty segment', 'https://key@h.example//1'],
    ['port 0', 'https://key@h.example:0/1'],
    ['an empty port', 'https://key@h.example:/1'],
    ['a port too high', 'https://key@h.example:65536/1'],
    ['a port with a zero before it', 'https://key@h.example:0443/1'],
    ['a decimal address', 'http://key@2130706433/1'],
    ['a short address', 'http://key@127.1/1'],
    ['a hexadecimal address', 'http://key@0x7f.0.0.0x1/1'],
    ['an octal address', 'http://key@0177.0.0.1/1'],
    ['an address out of range', 'http://key@256.1.1.1/1'],
    ['a broken IPv6 address', 'http://key@[:::1]/1'],
    ['an IPv6 zone', 'http://key@[fe80::1%25eth0]/1'],
    ['an IPv6 address without brackets', 'http://key@::1/1'],
    ['a dot at the end of the host', 'https://key@h.example./1'],
    ['an empty label', 'https://key@h..example/1'],
    ['a label that starts with a hyphen', 'https://key@-h.example/1'],
    ['a text without end', `https://key@h.example/${'a/'.repeat(5_000)}1`],
    ['nothing', ''],
  ])('A6: rejects %s', (_, text) => {
    expect(parseDsn(text)).toBeUndefined();
  });

  it('A6: never throws, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => parseDsn(`https://key@${text}/1`)).not.toThrow();
      }),
    );
  });

  it('A6: reads the same host as a URL parser', () => {
    const part = fc.string({ unit: fc.constantFrom(...'aZ09.-_:@/\\?#%[] '), maxLength: 4 });
    fc.assert(
      fc.property(
        fc.constantFrom('h.example', '127.0.0.1', '[::1]', ''),
        part,
        part,
        (host, before, after) => {
          const dsn = parseDsn(`https://key@${before}${host}${after}/42`);
          fc.pre(dsn !== undefined);

          const url = new URL(envelopeUrl(dsn));

          expect(url.hostname).toBe(dsn.host);
          expect(url.pathname).toBe(`${dsn.path}/api/${dsn.projectId}/envelope/`);
          expect(url.port === '' ? 443 : Number(url.port)).toBe(dsn.port ?? 443);
        },
      ),
      { numRuns: 2_000, maxSkipsPerRun: 1_000 },
    );
  });
});

describe('canonicalDsn', () => {
  it.each([
    'HTTPS://abcdefabcdefabcdefabcdefabcdef12@O1.INGEST.SENTRY.IO/42',
    'https://abcdefabcdefabcdefabcdefabcdef12@o1.ingest.sentry.io:443/42',
    'https://abcdefabcdefabcdefabcdefabcdef12:secret@o1.ingest.sentry.io/42',
  ])('A6: is the same for %s', (text) => {
    expect(canonicalDsn(parsed(text))).toBe(SAMPLE_DSN);
  });

  it.each([
    ['scheme', 'http://abcdefabcdefabcdefabcdefabcdef12@o1.ingest.sentry.io/42'],
    ['key', 'https://ffffffffffffffffffffffffffffffff@o1.ingest.sentry.io/42'],
    ['case of the key', 'https://ABCDEFabcdefabcdefabcdefabcdef12@o1.ingest.sentry.io/42'],
    ['host', 'https://abcdefabcdefabcdefabcdefabcdef12@evilo1.ingest.sentry.io/42'],
    ['port', 'https://abcdefabcdefabcdefabcdefabcdef12@o1.ingest.sentry.io:80/42'],
    ['path', 'https://abcdefabcdefabcdefabcdefabcdef12@o1.ingest.sentry.io/a/42'],
    ['project', 'https://abcdefabcdefabcdefabcdefabcdef12@o1.ingest.sentry.io/43'],
    ['zero before the project', 'https://abcdefabcdefabcdefabcdefabcdef12@o1.ingest.sentry.io/042'],
    ['slash after the project', 'https://abcdefabcdefabcdefabcdefabcdef12@o1.ingest.sentry.io/42/'],
  ])('A6, A8: differs where the %s differs', (_, text) => {
    expect(canonicalDsn(parsed(text))).not.toBe(SAMPLE_DSN);
  });

  it('reads back as the same DSN', () => {
    const canonical = canonicalDsn(parsed('HTTP://key@[2001:DB8::1]:9000/a/b/7/'));

    expect(canonical).toBe('http://key@[2001:db8::1]:9000/a/b/7/');
    expect(canonicalDsn(parsed(canonical))).toBe(canonical);
  });
});

describe('envelopeUrl', () => {
  it.each([
    [SAMPLE_DSN, 'https://o1.ingest.sentry.io/api/42/envelope/'],
    ['https://key@h.example/a/b/42', 'https://h.example/a/b/api/42/envelope/'],
    ['http://key@h.example:9000/1', 'http://h.example:9000/api/1/envelope/'],
    ['http://key@h.example:80/1', 'http://h.example/api/1/envelope/'],
    ['http://key@[::1]:8080/42', 'http://[::1]:8080/api/42/envelope/'],
    ['https://key@h.example/1/', 'https://h.example/api/1/envelope/'],
  ])('A7: of %s is %s', (text, url) => {
    expect(envelopeUrl(parsed(text))).toBe(url);
  });
});

describe('tunnelHashPath', () => {
  // Made with getTunnelPath of @sentry/core 11.12.0.
  it.each([
    [SAMPLE_DSN, '/1bos6dk'],
    ['https://abcdefabcdefabcdefabcdefabcdef12:secret@o1.ingest.sentry.io/42', '/1bos6dk'],
    ['http://abc@sentry.example.com:9000/a/b/1', '/1rsnmo7'],
    ['https://abc@sentry.example.com:443/1', '/t7hqj1'],
    ['http://abc@[::1]:8080/42', '/5gwswz'],
  ])('H23: of %s is the path the browser SDK posts to', (text, path) => {
    expect(tunnelHashPath(parsed(text))).toBe(path);
  });
});
