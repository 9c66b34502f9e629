import { utimesSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import request, { type Response } from 'supertest';
import { checkClient, hasOnePage } from './check-client.ts';
import { ClientFolder } from './client-folder.fixture.ts';
import { sendDecompressed } from './compressed-only.ts';
import { lookAtClient } from './client-look.ts';
import { servedClients } from './served-clients.ts';
import { webApplication } from './web-application.fixture.ts';
import { WEB_OPTIONS } from './web-options.fixture.ts';

const SCRIPT = 'export const value = 1;\n'.repeat(10_000);

describe('a client of which the build has left only compressed files', () => {
  let builtIn: ClientFolder;
  let client: ClientFolder;
  let application: NestExpressApplication;

  beforeEach(async () => {
    builtIn = new ClientFolder();
    client = new ClientFolder({
      'index.html.gz': gzipSync('<!doctype html><title>Shop</title>'),
      '404.html.br': brotliCompressSync('<!doctype html><title>Lost</title>'),
      'routes.json.gz': gzipSync('{"routes":[{"path":"/cart"}]}'),
      'help.html.gz': gzipSync('<!doctype html><title>Help</title><script>start()</script>'),
      'chunk-DiwrgTda.js.gz': gzipSync(SCRIPT),
      'chunk-DiwrgTda.js.br': brotliCompressSync(SCRIPT),
      'app.css.zst': zstdCompressSync(SCRIPT),
      'page.json.br': brotliCompressSync(SCRIPT),
      'cut.js.gz': gzipSync(SCRIPT).subarray(0, 200),
      'damaged.js.gz': Buffer.from('1f8b1f8b1f8b', 'hex'),
      'other.js.gz': SCRIPT,
      'docs/index.html': 'docs',
      'docs.gz': gzipSync('an archive'),
    });
    client.lose('index.html');
    utimesSync(join(client.path, 'chunk-DiwrgTda.js.gz'), 1, 1);
    const options = { ...WEB_OPTIONS, builtInDir: builtIn.path, clientDir: client.path };
    application = await webApplication(servedClients(options));
  });

  afterEach(async () => {
    await application.close();
    builtIn.remove();
    client.remove();
  });

  const get = (path: string, accepted: string) =>
    request(application.getHttpServer()).get(path).set('Accept-Encoding', accepted);

  it.each([
    ['/chunk-DiwrgTda.js', 'gzip', 'gzip'],
    ['/chunk-DiwrgTda.js', 'gzip, br', 'br'],
    ['/chunk-DiwrgTda.js', 'identity', undefined],
    ['/chunk-DiwrgTda.js', 'zstd', undefined],
    ['/app.css', 'zstd', 'zstd'],
    ['/app.css', 'gzip, br', undefined],
    ['/page.json', 'br', 'br'],
    ['/page.json', 'gzip', undefined],
  ])('has %s for a client that accepts %s', async (path, accepted, coding) => {
    const { status, headers, body } = await get(path, accepted).buffer(true).parse(readText);

    expect([status, headers['content-encoding'], headers['vary']]).toEqual([200, coding, 'Accept-Encoding']);
    expect(body).toBe(SCRIPT);
  });

  it('has headers as other files, also for HEAD', async () => {
    const head = await request(application.getHttpServer())
      .head('/chunk-DiwrgTda.js')
      .set('Accept-Encoding', 'identity');

    expect([head.status, head.text]).toEqual([200, undefined]);
    expect(head.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
  });

  it('has its pages and routes, the page / with the settings', async () => {
    const [home, cart, lost] = await Promise.all(['/', '/cart', '/nope'].map((path) => get(path, 'gzip')));

    expect(home?.text).toMatch(/^<!doctype html><meta name="errata" [^>]*><title>Shop/);
    expect([cart?.status, cart?.text]).toEqual([200, home?.text]);
    expect(lost?.status).toBe(404);
    const help = await get('/help', 'identity');
    expect(help.text).toContain('<title>Help');
    expect(help.headers['content-security-policy-report-only']).toContain("'sha256-");
  });

  it.each([
    '/index.html.gz',
    '/404.html',
    '/404.html.br',
    '/routes.json',
    '/routes.json.gz',
    '/other.js',
    '/console/app.css',
  ])('sends none of its own files, and none of another format: %s', async (path) => {
    expect((await get(path, 'gzip, br')).status).toBe(404);
  });

  it('has no method beside those of a file, and none for a file of another format', async () => {
    const statuses = ['/app.css', '/other.js'].map((path) => request(application.getHttpServer()).post(path));

    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([405, 404]);
  });

  it.each(['/cut.js', '/damaged.js'])(
    'ends the response of a damaged file, which is no failure: %s',
    async (path) => {
      const sent = Promise.withResolvers<void>();
      const file = join(client.path, `${path}.gz`);
      const alone = request((incoming: IncomingMessage, response: ServerResponse) =>
        sent.resolve(sendDecompressed(file, 'gzip', incoming, response)),
      );

      await expect(get(path, 'identity')).rejects.toThrow(/aborted|hang up/);
      await expect(alone.get('/')).rejects.toThrow(/aborted|hang up/);
      await expect(sent.promise).resolves.toBeUndefined();
    },
  );

  it('has the page of a folder that an archive is named after', async () => {
    expect((await get('/docs', 'gzip')).headers['location']).toBe('/docs/');
  });

  it('is checked, counted and looked at as any other', () => {
    expect(() => checkClient(client.path, null)).not.toThrow();
    expect(hasOnePage(client.path, null)).toBe(false);
    expect(lookAtClient(client.path, [''])).toBeDefined();

    client.write('index.html.gz', 'no gzip');
    expect(() => checkClient(client.path, null)).toThrow(/client\/index\.html\.gz is no gzip of a text$/);
  });
});

/** Reads a body; the client of the test decodes all codings but zstd before. */
function readText(response: Response, done: (error: Error | null, body: string) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => {
    const body = Buffer.concat(chunks);
    done(null, String(response.headers['content-encoding'] === 'zstd' ? zstdDecompressSync(body) : body));
  });
}
