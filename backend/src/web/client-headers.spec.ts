import type { NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import { ClientFolder } from './client-folder.fixture.ts';
import { servedClients, type WebOptions } from './served-clients.ts';
import { webApplication } from './web-application.fixture.ts';
import { WEB_OPTIONS } from './web-options.fixture.ts';

/** Headers about the transfer, which no policy sets. */
const TRANSFER =
  /^(accept-ranges|cache-control|connection|content-(encoding|length|type)|date|etag|keep-alive|last-modified|vary)$/;
const STRICT = [
  'content-security-policy',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];
const REPORTED = ['content-security-policy-report-only', 'x-content-type-options'];
const HTTPS_ONLY = 'strict-transport-security';

describe('headers', () => {
  let builtIn: ClientFolder;
  let client: ClientFolder;
  let application: NestExpressApplication;

  async function serve(options: Partial<WebOptions> & Pick<WebOptions, 'clientDir'>): Promise<void> {
    const served = servedClients({ ...WEB_OPTIONS, builtInDir: builtIn.path, ...options });
    application = await webApplication(served);
    application.disable('x-powered-by');
  }

  beforeEach(() => {
    builtIn = new ClientFolder({
      'routes.json': '{"routes":[{"path":"/"},{"path":"/console"}]}',
      'console/assets/index.js': '',
    });
    client = new ClientFolder({ 'about.html': '<script>alert(1)</script>', 'assets/app.js': '' });
  });

  afterEach(async () => {
    await application.close();
    builtIn.remove();
    client.remove();
  });

  const headersOf = async (path: string) => (await request(application.getHttpServer()).get(path)).headers;
  const namesOf = async (path: string) =>
    Object.keys(await headersOf(path))
      .filter((name) => !TRANSFER.test(name))
      .toSorted();

  it.each(['/', '/console', '/console/api/me', '/console/assets/index.js', '/missing'])(
    'are strict with the built-in client alone: %s',
    async (path) => {
      await serve({ clientDir: builtIn.path, policyMode: 'off' });

      expect(await namesOf(path)).toEqual([...STRICT, HTTPS_ONLY].toSorted());
      expect((await headersOf(path))[HTTPS_ONLY]).toBe('max-age=63072000; includeSubDomains');
    },
  );

  it.each(['/console', '/console/api/me', '/console/assets/index.js'])(
    'are strict for the console beside another client, without a promise for the host: %s',
    async (path) => {
      await serve({ clientDir: client.path });

      expect(await namesOf(path)).toEqual(STRICT);
      expect((await headersOf(path))['content-security-policy']).toContain(
        "require-trusted-types-for 'script'",
      );
    },
  );

  it.each(['/', '/about', '/assets/app.js', '/missing'])(
    'only report what the policy of another client would block: %s',
    async (path) => {
      await serve({ clientDir: client.path });

      expect(await namesOf(path)).toEqual(REPORTED);
    },
  );

  it('block by the computed policy, with the code of every page and the sources of the setting', async () => {
    const policyExtra = { 'connect-src': ['https://api.example'] };
    await serve({ clientDir: client.path, policyMode: 'computed', policyExtra });

    const policy = (await headersOf('/'))['content-security-policy'];

    expect(policy).toContain("script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='; ");
    expect(policy).toContain("connect-src 'self' https://api.example; ");
  });

  it('allow the code of one page alone where all is too much', async () => {
    for (let page = 0; page < 100; page += 1) client.write(`${page}.html`, `<script>page(${page})</script>`);
    await serve({ clientDir: client.path, policyMode: 'computed' });

    const hashesOf = async (path: string) =>
      (await headersOf(path))['content-security-policy']?.match(/sha256-/g)?.length ?? 0;

    expect(await Promise.all(['/7', '/8.html', '/', '/assets/app.js'].map(hashesOf))).toEqual([1, 1, 0, 0]);
  });

  it('have no policy when it is off', async () => {
    await serve({ clientDir: client.path, policyMode: 'off' });

    expect(await namesOf('/')).toEqual(['x-content-type-options']);
  });

  it('promise HTTPS for the whole host where the setting says so', async () => {
    await serve({ clientDir: client.path, httpsOnly: { maxAge: 600, includeSubDomains: false } });

    const values = await Promise.all(
      ['/', '/console', '/missing'].map(async (path) => (await headersOf(path))[HTTPS_ONLY]),
    );

    expect(values).toEqual(['max-age=600', 'max-age=600', 'max-age=600']);
  });

  it('promise no HTTPS with the built-in client where it is off', async () => {
    await serve({ clientDir: builtIn.path, httpsOnly: 'off' });

    expect(await namesOf('/')).toEqual(STRICT);
  });

  it('reads the not-found page of a client with the policy of its pages', () => {
    client.write('404.html', '<h1>Gone</h1>');

    const served = servedClients({ ...WEB_OPTIONS, builtInDir: builtIn.path, clientDir: client.path });
    const notFound = served.notFound('/missing');

    expect(notFound?.html).toContain('<h1>Gone</h1>');
    expect(Object.keys(notFound?.headers ?? {})).toEqual(['Content-Security-Policy-Report-Only']);
  });

  it.each(['client', 'built-in client'])(
    'has the page of the console, which shows its frame, for an unknown path below /console only (%s)',
    (name) => {
      builtIn.write('index.html', '<title>Console</title><div id="root"></div><script>');
      const clientDir = name === 'client' ? client.path : builtIn.path;

      const served = servedClients({ ...WEB_OPTIONS, builtInDir: builtIn.path, clientDir });

      expect(served.notFound('/console/missing')).toMatchObject({
        html: expect.stringMatching(
          /noindex.*<title>404: This page could not be found\.<.*<h1>404<.*<script>/,
        ),
        headers: {},
      });
      expect(served.notFound('/consoles')).toBeUndefined();
    },
  );
});
