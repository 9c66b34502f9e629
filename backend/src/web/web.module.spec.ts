import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import { ClientFolder } from './client-folder.fixture.ts';
import { servedClients } from './served-clients.ts';
import { webApplication } from './web-application.fixture.ts';
import { WEB_OPTIONS } from './web-options.fixture.ts';

const LONG = 'x'.repeat(3_000);

describe('WebModule', () => {
  let builtIn: ClientFolder;
  let folder: ClientFolder;
  let application: NestExpressApplication;

  async function serve(clientDir: string): Promise<void> {
    const options = { ...WEB_OPTIONS, clientDir, builtInDir: builtIn.path };
    application = await webApplication(servedClients(options));
  }

  async function serveFiles(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
    folder = new ClientFolder(files);
    await serve(folder.path);
  }

  beforeEach(() => {
    builtIn = new ClientFolder({ 'routes.json': '{"routes":[{"path":"/console"}]}' });
  });

  afterEach(async () => {
    await application.close();
    folder.remove();
    builtIn.remove();
  });

  const get = (path: string) => request(application.getHttpServer()).get(path);
  const statusOf = async (path: string) => (await get(path)).status;

  it.each([
    (path: string) => path,
    (path: string) => `${path}/`,
    (path: string) => `${path}//.`,
    (path: string) => path.replace('/client', '/./client'),
    (path: string) => path.replace('/client', '//client'),
    (path: string) => path.replace('/client', '/other/../client'),
    (path: string) => path.replace('/client', '/link'),
    (path: string) => relative(process.cwd(), path),
    (path: string) => `./${relative(process.cwd(), path)}/`,
  ])('serves one folder in every spelling: %s', async (spell) => {
    folder = new ClientFolder({ 'assets/app.js': '', 'logo.svg': '<svg/>' });
    mkdirSync(join(folder.parent, 'other'));
    symlinkSync('client', join(folder.parent, 'link'));
    await serve(spell(folder.path));

    const statuses = await Promise.all(['/', '/logo.svg', '/assets/app.js', '/nope'].map(statusOf));

    expect(statuses).toEqual([200, 200, 200, 404]);
  });

  it.each([
    ['/images/team%20photo.png', 200],
    ['/docs/%C3%9Cbersicht.pdf', 200],
    ['/docs/%c3%9cbersicht.pdf', 200],
    ['/images/100%25.png', 200],
    ['/images/100%2525.png', 404],
    ['/images/logo@2x.png', 200],
    ['/images/logo%402x.png', 200],
    ['/%F0%9F%8D%8E/a%23b%3Fc.txt', 200],
    ['/a+b;c&d=e.txt', 200],
    ['/%61%2Bb;c&d=e.txt', 200],
    ['/images/%2e%2e/logo.svg', 404],
    ['/images/%2e%2e%2Flogo.svg', 404],
    ['/images%2Fteam%20photo.png', 404],
    ['/images%5Cteam%20photo.png', 404],
    ['/images/team%20photo.png%00', 404],
    ['/images/%zz.png', 400],
    ['/images/100%.png', 400],
    ['/images/%C3.png', 400],
  ])('looks the decoded path up: %s is %i', async (path, status) => {
    await serveFiles({
      'images/team photo.png': '',
      'docs/Übersicht.pdf': '',
      'images/100%.png': '',
      'images/logo@2x.png': '',
      '🍎/a#b?c.txt': '',
      'a+b;c&d=e.txt': '',
      'logo.svg': '',
    });

    expect(await statusOf(path)).toBe(status);
  });

  it.each([
    ['assetlinks.json', '[]', 'application/json; charset=utf-8'],
    ['apple-app-site-association', '{}', 'application/json; charset=utf-8'],
    ['matrix/client', '{"m.homeserver":{}}', 'application/json; charset=utf-8'],
    ['security.txt', 'Contact: mailto:security@example.org', 'text/plain; charset=utf-8'],
    ['acme-challenge/token', 'token.thumbprint', 'application/octet-stream'],
  ])('serves the well-known file %s', async (name, content, type) => {
    await serveFiles({ [`.well-known/${name}`]: content });

    const response = await get(`/.well-known/${name}`);

    expect([response.status, response.headers['content-type']]).toEqual([200, type]);
  });

  it.each(['/.env', '/assets/.hidden.js', '/.well-known/.secret', '/assets/.well-known/a', '/%2Eenv'])(
    'serves no file with a dot: %s',
    async (path) => {
      await serveFiles({
        '.env': '',
        'assets/.hidden.js': '',
        '.well-known/.secret': '',
        'assets/.well-known/a': '',
      });

      expect(await statusOf(path)).toBe(404);
    },
  );

  it.each([
    '/404.html',
    '/error.html',
    '/routes.json',
    '/app.js.map',
    '/app.js%2Emap',
    '/app.js.br',
    '/APP.JS.MAP',
    '/lost.js.map.gz',
  ])('serves no file of its own use: %s', async (path) => {
    await serveFiles({
      '404.html': '',
      'error.html': '',
      'routes.json': '{"routes":[{"path":"/"}]}',
      'app.js': '',
      'app.js.map': '{}',
      'app.js.br': '',
      'APP.JS.MAP': '{}',
      'lost.js.map.gz': '',
    });

    expect(await statusOf(path)).toBe(404);
  });

  it('sends the page / under the name of its file', async () => {
    await serveFiles({});

    const page = await get('/');
    for (const path of ['/index.html', '/index']) {
      const named = await get(path);
      expect([named.status, named.text, named.headers['etag']]).toEqual([
        200,
        page.text,
        page.headers['etag'],
      ]);
    }
    expect(await statusOf('/sub/index.html')).toBe(404);
    expect((await request(application.getHttpServer()).post('/index.html')).status).toBe(405);
  });

  it('has the page / of a client whose routes do not list it', async () => {
    await serveFiles({ 'routes.json': '{"routes":[{"path":"/shop"}]}' });

    expect(await Promise.all(['/shop', '/', '/index.html', '/help'].map(statusOf))).toEqual([
      200, 200, 200, 404,
    ]);
  });

  describe('with compressed variants', () => {
    beforeEach(() =>
      serveFiles({
        'help.html': LONG,
        'help.html.br': brotliCompressSync(LONG),
        'help.html.gz': gzipSync(LONG),
      }),
    );

    const help = async (accepted: string) => {
      const response = await get('/help.html').set('Accept-Encoding', accepted);
      return [response.status, response.headers['content-encoding'], response.text.length];
    };

    it.each([
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0.1, gzip', 'gzip'],
      ['*', 'br'],
      ['br;q=0, *;q=0.5', 'gzip'],
      ['*;q=0', undefined],
      ['identity', undefined],
    ])('sends the variant that %s prefers', async (accepted, coding) => {
      const response = await get('/help.html')
        .set('Accept-Encoding', accepted)
        .buffer(false)
        .parse((_, done) => done(null, null));

      expect([response.status, response.headers['content-encoding']]).toEqual([200, coding]);
    });

    it('sends the next variant, then the file itself, when a variant is lost', async () => {
      folder.lose('help.html.br');
      expect(await help('br, gzip')).toEqual([200, 'gzip', LONG.length]);
      expect(await help('br')).toEqual([200, undefined, LONG.length]);
      folder.lose('help.html.gz');
      expect(await help('br, gzip')).toEqual([200, undefined, LONG.length]);
    });

    it('sends the file when a variant has become older or empty', async () => {
      utimesSync(join(folder.path, 'help.html.br'), 1, 1);
      folder.write('help.html.gz', '');

      expect(await help('br, gzip')).toEqual([200, undefined, LONG.length]);
    });

    it('sends the file when a folder is in the place of a variant', async () => {
      folder.lose('help.html.br');
      mkdirSync(join(folder.path, 'help.html.br'));

      expect(await help('br')).toEqual([200, undefined, LONG.length]);
    });
  });

  it('sends no file that a FIFO has replaced, and no variant', async () => {
    await serveFiles({ 'app.js': '', 'help.html': '', 'ready.js': LONG, 'ready.js.gz': gzipSync(LONG) });
    for (const path of ['app.js', 'help.html', 'ready.js.gz']) {
      folder.lose(path);
      execFileSync('mkfifo', [join(folder.path, path)]);
    }

    expect(await Promise.all(['/app.js', '/help', '/ready.js'].map(statusOf))).toEqual([404, 404, 200]);
  });

  it.each([
    ['/assets/chunk-DiwrgTda.js', 'public, max-age=31536000, immutable'],
    ['/env-override.js', 'no-cache'],
    ['/version.json', 'no-cache'],
  ])('lets caches keep %s: %s', async (path, cacheControl) => {
    await serveFiles({
      'assets/chunk-DiwrgTda.js': LONG,
      'assets/chunk-DiwrgTda.js.gz': gzipSync(LONG),
      'env-override.js': '',
      'version.json': '{}',
    });

    expect((await get(path)).headers['cache-control']).toBe(cacheControl);
  });
});
