import { envelope, EVENT_ID, OWN, project, UPSTREAM } from './test/envelopes.fixture.ts';
import { TunnelServer } from './test/tunnel-server.fixture.ts';
import { TunnelPaths } from './tunnel-paths.ts';

const EVENT = envelope({ event_id: EVENT_ID, dsn: UPSTREAM }, [{ type: 'event' }, '{}']);
// Made with getTunnelPath of @sentry/core 11.12.0; the second one for the same DSN with its default port written.
const SAMPLE = 'https://abcdefabcdefabcdefabcdefabcdef12@o1.ingest.sentry.io/42';

describe('TunnelPaths', () => {
  const paths = new TunnelPaths('/tunnel', [project(SAMPLE, true), project(OWN, false)]);

  it.each([
    ['/tunnel', 'envelope', null],
    ['/tunnel/', 'envelope', null],
    ['/tunnel?sentry_key=1', 'envelope', null],
    ['/1bos6dk', 'envelope', null],
    ['/1bos6dk/', 'envelope', null],
    ['/api/42/envelope/', 'envelope', '42'],
    ['/api/7/envelope', 'envelope', '7'],
    ['/api/42/store/', 'store', '42'],
    ['/api/42/user-feedback/', 'feedback', '42'],
    ['/api/0/projects/acme/shop.eu/user-feedback/', 'feedback', null],
    ['/api/0/projects/acme/7/user-feedback', 'feedback', null],
    ['/api/embed/error-page/?dsn=a', 'dialog', null],
    ['/api/embed/error-page', 'dialog', null],
    ['//tunnel', 'envelope', null],
    ['/tunnel//', 'envelope', null],
    ['//api/42/envelope/', 'envelope', '42'],
    ['/api//42///store//', 'store', '42'],
    ['//reports?a=//b', 'reports', null],
    ['http://errata.example/tunnel', 'envelope', null],
    ['http://errata.example//api/42/store/?a=1', 'store', '42'],
    ['/reports', 'reports', null],
    ['/reports/?project=1', 'reports', null],
  ] as const)('H14: knows %s', (url, accepts, projectId) => {
    expect(paths.find(url)).toMatchObject({ accepts, projectId });
  });

  it('separates the query', () => {
    expect(paths.find('/api/42/envelope/?sentry_key=a&x=1')?.query).toBe('sentry_key=a&x=1');
    expect(paths.find('//api/42/envelope/?sentry_key=a//b')?.query).toBe('sentry_key=a//b');
  });

  it.each([
    '',
    '/',
    '/tunnels',
    '/TUNNEL',
    '/api//envelope/',
    '/tun//nel',
    '/api/42/envelope/x',
    '/api/-1/envelope/',
    '/api/0/projects/acme/user-feedback/',
    '/api/0/projects/acme/shop/eu/user-feedback/',
    '/api/1/projects/acme/shop/user-feedback/',
    '/api/embed/',
    '*',
  ])('does not match %j', (url) => {
    expect(paths.find(url)).toBeUndefined();
  });

  it('knows the hash path of a DSN with its default port, in both spellings', () => {
    const spelt = new TunnelPaths('/t', [project('https://abc@sentry.example.com:443/1', true)]);

    expect(spelt.find('/t7hqj1')).toBeDefined();
    expect(spelt.find(hashOf('https://abc@sentry.example.com/1'))).toBeDefined();
  });
});

/** FNV-1a as in the SDK. */
function hashOf(dsn: string): string {
  let hash = 0x811c9dc5;
  for (const char of dsn) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return `/${(hash >>> 0).toString(36)}`;
}

describe('the paths of the tunnel', () => {
  it('accepts an envelope on the path that a browser derives from the DSN with tunnel: true', async () => {
    const tunnel = await TunnelServer.start();

    expect((await tunnel.send({ path: hashOf(UPSTREAM), body: EVENT })).status).toBe(200);
    expect(await tunnel.queued()).toHaveLength(1);
    await tunnel.stop();
  });

  it('passes GET /reports on to the application', async () => {
    const tunnel = await TunnelServer.start();

    const page = await fetch(`http://127.0.0.1:${tunnel.port}/reports`);
    const put = await tunnel.send({ path: '/reports', method: 'PUT' });

    // Express's own answer, as nothing is mounted here.
    expect(page.status).toBe(404);
    expect([put.status, put.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
    await tunnel.stop();
  });

  it('names the methods of the dialog, which a page reads', async () => {
    const tunnel = await TunnelServer.start();
    const send = (method: string) => tunnel.send({ path: '/api/embed/error-page/', method });

    const answers = [await send('OPTIONS'), await send('PUT')];

    const methods = 'POST, GET, HEAD, OPTIONS';
    expect(answers.map(({ status, headers }) => [status, headers['allow']])).toEqual([
      [204, methods],
      [405, methods],
    ]);
    await tunnel.stop();
  });
});

describe('a request on a path that another application may have, too', () => {
  let tunnel: TunnelServer;

  beforeAll(async () => {
    tunnel = await TunnelServer.start({ way: 'middleware', isHosted: true });
  });

  afterAll(() => tunnel.stop());

  it.each([
    ['POST', '/reports', { 'content-type': 'application/json' }, 'the application'],
    ['POST', '/reports', { 'content-type': 'application/csp-report' }, 'the tunnel'],
    ['PUT', '/reports', {}, 'the application'],
    ['OPTIONS', '/reports', { origin: 'https://elsewhere.example' }, 'the application'],
    ['OPTIONS', '/reports', {}, 'the tunnel'],
    ['POST', '/api/5/store', { authorization: 'Bearer token' }, 'the application'],
    ['POST', '/api/5/store', { 'x-sentry-auth': 'Sentry sentry_key=abc' }, 'the tunnel'],
    ['POST', '/api/5/store/?sentry_key=abc', {}, 'the tunnel'],
    ['POST', '/api/5/user-feedback/', {}, 'the application'],
    ['POST', '/api/0/projects/a/b/user-feedback/', { authorization: 'Bearer token' }, 'the application'],
    ['POST', '/api/0/projects/a/b/user-feedback/', { authorization: `DSN ${UPSTREAM}` }, 'the tunnel'],
    ['GET', '/api/embed/error-page/', {}, 'the application'],
    ['GET', `/api/embed/error-page/?dsn=${UPSTREAM}`, {}, 'the tunnel'],
    ['PUT', `/api/embed/error-page/?dsn=${UPSTREAM}`, {}, 'the application'],
    ['POST', '/api/5/envelope/', {}, 'the tunnel'],
    ['GET', '/tunnel', {}, 'the tunnel'],
    ['POST', '/elsewhere', {}, 'the application'],
  ])('%s %s %j is for %s', async (method, path, headers, owner) => {
    const given = Object.entries({ host: 'x', connection: 'close', 'content-length': 0, ...headers });
    const head = given.map(([name, value]) => `${name}: ${value}\r\n`).join('');

    const answer = await tunnel.raw(`${method} ${path} HTTP/1.1\r\n${head}\r\n`);

    // The application is Express without a handler.
    expect(answer.includes('Cannot ') ? 'the application' : 'the tunnel').toBe(owner);
  });
});
