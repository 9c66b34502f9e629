import type { NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import type { ClientRoutes } from '../contract/routes.ts';
import { ClientFolder } from './client-folder.fixture.ts';
import { servedClients } from './served-clients.ts';
import { webApplication } from './web-application.fixture.ts';
import { WEB_OPTIONS } from './web-options.fixture.ts';

const MANIFEST = '{"routes":[{"path":"/"},{"path":"/orders/:id","noindex":true}]}';
const FILES = [
  'about.html',
  'docs/index.html',
  'docs/guide.html',
  'console/index.html',
  'assets/app.js',
  'assets/app.js.map',
  'übersicht/index.html',
  'what?/index.html',
  'v1.2.html',
  '404.html',
  '.env',
  '.well-known/security.txt',
];

const SETTINGS_ELEMENT = /<meta name="errata"[^>]*>/;

/** A path, and its answer by `files`, by `spa`, by the pattern `/orders/:id` and by routes.json. */
type Row = readonly [path: string, files: string, spa: string, patterns: string, manifest: string];
const same = (path: string, answer: string): Row => [path, answer, answer, answer, answer];

const TABLE: readonly Row[] = [
  same('/', 'index.html'),
  same('/index.html', 'index.html'),
  same('/about', 'about.html'),
  same('/about.html', 'about.html'),
  same('/v1.2', 'v1.2.html'),
  same('/docs/', 'docs/index.html'),
  same('/docs/index.html', 'docs/index.html'),
  same('/docs/guide', 'docs/guide.html'),
  same('/docs?a=1', '301 /docs/?a=1'),
  same('/%C3%BCbersicht', '301 /%C3%BCbersicht/'),
  same('/what%3F', '301 /what%3F/'),
  same('/%C3%BCbersicht/', 'übersicht/index.html'),
  same('/assets/app.js', 'assets/app.js'),
  same('/.well-known/security.txt', '.well-known/security.txt'),
  // With any routes, a path of a file that does not exist is a 404.
  same('/assets/gone.js', '404'),
  same('/logo.svg', '404'),
  same('/orders.json', '404'),
  same('/assets/app.js.map', '404'),
  same('/assets/app.js%2Emap', '404'),
  same('/routes.json', '404'),
  same('/404.html', '404'),
  same('/robots.txt', '404'),
  same('/favicon.ico', '404'),
  // Dotfiles and other folders.
  same('/.env', '404'),
  same('/%2eenv', '404'),
  same('/.git/config', '404'),
  same('/.well-known/gone', '404'),
  same('/..%2f..%2fetc%2fpasswd', '404'),
  same('/%2e%2e%2f%2e%2e%2fetc', '404'),
  same('/..%5c..%5cetc', '404'),
  // Names are exact.
  ['/About', '404', 'index.html', '404', '404'],
  ['/DOCS/', '404', 'index.html', '404', '404'],
  ['/about/', '404', 'index.html', '404', '404'],
  ['/docs%2Fguide', '404', 'index.html', '404', '404'],
  ['/assets%2Fapp', '404', 'index.html', '404', '404'],
  // Pages that only the client knows.
  ['/404', '404', 'index.html', '404', '404'],
  ['/assets', '404', 'index.html', '404', '404'],
  ['/missing', '404', 'index.html', '404', '404'],
  ['/missing/', '404', 'index.html', '404', '404'],
  ['/orders/7', '404', 'index.html', 'index.html', 'index.html noindex'],
  ['/orders/7/', '404', 'index.html', 'index.html', 'index.html noindex'],
  ['/orders/a%2Fb', '404', 'index.html', 'index.html', 'index.html noindex'],
  ['/orders/john.doe', '404', '404', 'index.html', 'index.html noindex'],
  same('/orders/7.js', '404'),
  same('/orders/7.svg', '404'),
  ['/orders/7/8', '404', 'index.html', '404', '404'],
  ['//orders/7', '404', '404', '404', '404'],
  ['/consoles', '404', 'index.html', '404', '404'],
  // The console is Errata's, also where the client has such a folder.
  same('/console', 'built-in'),
  same('/console/', 'built-in'),
  same('/%63onsole', 'built-in'),
  same('/console/index.html', '404'),
  same('/console/missing', '404'),
];

const MODES: readonly (readonly [name: string, setting: ClientRoutes | null, hasManifest: boolean])[] = [
  ['files', null, false],
  ['spa', 'spa', true],
  ['a list of patterns', ['/orders/:id'], true],
  ['routes.json', null, true],
];

describe.each(MODES.map((mode, index) => ({ mode, index })))('a client with $mode.0', ({ mode, index }) => {
  const [, setting, hasManifest] = mode;
  let client: ClientFolder;
  let builtIn: ClientFolder;
  let application: NestExpressApplication;

  beforeAll(async () => {
    const named = Object.fromEntries(FILES.map((path) => [path, path]));
    client = new ClientFolder({
      ...named,
      'index.html': 'index.html',
      ...(hasManifest && { 'routes.json': MANIFEST }),
    });
    builtIn = new ClientFolder({
      'index.html': 'built-in',
      'routes.json': '{"routes":[{"path":"/"},{"path":"/console"}]}',
      'robots.txt': '',
      'favicon.ico': '',
    });
    const options = { ...WEB_OPTIONS, clientDir: client.path, builtInDir: builtIn.path, routes: setting };
    application = await webApplication(servedClients(options));
  });

  afterAll(async () => {
    await application.close();
    client.remove();
    builtIn.remove();
  });

  async function answerTo(path: string): Promise<string> {
    const asked = request(application.getHttpServer()).get(path).redirects(0).buffer(true);
    const { status, text, body, headers } = await asked;
    if (status === 301) return `301 ${headers['location']}`;
    const content = (Buffer.isBuffer(body) ? body.toString() : text).replace(SETTINGS_ELEMENT, '');
    return `${status === 200 ? content : status}${headers['x-robots-tag'] === undefined ? '' : ' noindex'}`;
  }

  it.each(TABLE.map((row) => [row[0], row[index + 1] ?? '']))('answers %s by %s', async (path, expected) => {
    expect(await answerTo(path)).toBe(expected);
  });

  it('never answers a script, a style or an image with a page', async () => {
    const answers = await Promise.all(
      ['/missing', '/orders/7'].flatMap((path) =>
        ['script', 'style', 'image', 'font'].map((destination) =>
          request(application.getHttpServer()).get(path).set('Sec-Fetch-Dest', destination),
        ),
      ),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  });

  it('never answers a navigation to a missing file with a page', async () => {
    const answer = await request(application.getHttpServer())
      .get('/assets/gone.js')
      .set('Accept', 'text/html');

    expect(answer.status).toBe(404);
  });

  it('never answers a call of an API with a page', async () => {
    const answers = await Promise.all(
      ['/api/orders', '/orders/7'].map((path) =>
        request(application.getHttpServer()).get(path).set('Accept', 'application/json'),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });

  it.each([
    ['/', 'GET, HEAD, OPTIONS'],
    ['/about', 'GET, HEAD, OPTIONS'],
    ['/docs', 'GET, HEAD, OPTIONS'],
    ['/assets/app.js', 'GET, HEAD, OPTIONS'],
    ['/console', 'GET, HEAD, OPTIONS'],
    ['/assets/gone.js', undefined],
    ['/console/api/me', undefined],
  ])(
    'answers HEAD as GET, OPTIONS with the methods of %s, and refuses all others: %s',
    async (path, allow) => {
      const ask = request(application.getHttpServer());
      const { status: found } = await ask.get(path);
      const answers = await Promise.all([ask.head(path), ask.options(path), ask.post(path), ask.trace(path)]);

      const statuses = allow === undefined ? [404, 404, 404, 404] : [found, 204, 405, 405];
      expect(answers.map(({ status }) => status)).toEqual(statuses);
      expect(answers.slice(1).map(({ headers }) => headers['allow'])).toEqual([allow, allow, allow]);
    },
  );
});
