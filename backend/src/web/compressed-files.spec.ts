import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import { ClientFiles } from './client-files.ts';
import { ClientFolder } from './client-folder.fixture.ts';
import { CompressedFiles } from './compressed-files.ts';
import { servedClients } from './served-clients.ts';
import { webApplication } from './web-application.fixture.ts';
import { WEB_OPTIONS } from './web-options.fixture.ts';

const SCRIPT = 'export const value = 1;\n'.repeat(100);
const PAGE = `<!doctype html><title>Help${'.'.repeat(2_000)}`;
const NEVER = new AbortController().signal;
const DECODE = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };

describe('compressed files of another client', () => {
  let builtIn: ClientFolder;
  let client: ClientFolder;
  let application: NestExpressApplication;

  beforeEach(async () => {
    builtIn = new ClientFolder();
    client = new ClientFolder({
      'app.js': SCRIPT,
      'chunk-DiwrgTda.js': SCRIPT,
      'help.html': PAGE,
      'small.js': 'export {};',
      'photo.png': SCRIPT,
      'ready.js': SCRIPT,
      'ready.js.gz': gzipSync(SCRIPT),
      'empty.js': SCRIPT,
      'empty.js.gz': '',
      'other.js': SCRIPT,
      'other.js.gz': SCRIPT,
      'other.js.zst': gzipSync(SCRIPT),
      'old.js': SCRIPT,
      'old.js.gz': gzipSync('old'),
      'orders.csv.gz': gzipSync('a,b'),
    });
    utimesSync(join(client.path, 'old.js.gz'), 1, 1);
    const served = servedClients({ ...WEB_OPTIONS, builtInDir: builtIn.path, clientDir: client.path });
    await served.compress?.(NEVER);
    application = await webApplication({ ...served, compress: undefined });
  });

  afterEach(async () => {
    await application.close();
    builtIn.remove();
    client.remove();
  });

  const get = (path: string, accepted: string) =>
    request(application.getHttpServer())
      .get(path)
      .set('Accept-Encoding', accepted)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });

  it.each([
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, zstd', 'zstd'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['identity', undefined],
  ] as const)('are sent in the coding that %s prefers', async (accepted, coding) => {
    // The client of the test would decode them itself.
    const { headers } = await request(application.getHttpServer())
      .get('/chunk-DiwrgTda.js')
      .set('Accept-Encoding', accepted)
      .buffer(false)
      .parse((_, done) => done(null, null));

    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    expect(headers['content-encoding']).toBe(coding);
  });

  it('have the content of the file, in each coding and in no larger buffer', async () => {
    const files = new CompressedFiles(client.path);
    await files.compress(ClientFiles.read(client.path).all, NEVER);

    const contents = await Promise.all(
      (['br', 'zstd', 'gzip'] as const).map(async (coding) => {
        const { body = Buffer.alloc(0) } = (await files.find('app.js', [coding])) ?? {};
        return [body.buffer.byteLength < SCRIPT.length, DECODE[coding](body).toString()];
      }),
    );

    expect(contents).toEqual([
      [true, SCRIPT],
      [true, SCRIPT],
      [true, SCRIPT],
    ]);
  });

  it('have the settings where they are pages', async () => {
    const { body, headers } = await get('/help', 'gzip');

    expect(headers['content-encoding']).toBe('gzip');
    expect(String(body)).toMatch(/^<!doctype html><meta name="errata" [^>]*><title>Help/);
  });

  it('are not sent again while they are the same', async () => {
    const { headers } = await get('/app.js', 'br');
    const again = await get('/app.js', 'br').set('If-None-Match', String(headers['etag']));
    const other = await get('/app.js', 'gzip').set('If-None-Match', String(headers['etag']));

    expect([again.status, other.status]).toEqual([304, 200]);
  });

  it('are the file itself where a part is asked for', async () => {
    const { status, body, headers } = await get('/app.js', 'br').set('Range', 'bytes=7-11');

    expect([status, String(body), headers['content-encoding']]).toEqual([206, 'const', undefined]);
    expect(headers['content-range']).toBe(`bytes 7-11/${SCRIPT.length}`);
  });

  it.each([
    ['/small.js', 'br', undefined],
    ['/photo.png', 'br', undefined],
    ['/ready.js', 'br', undefined],
    ['/ready.js', 'br, gzip', 'gzip'],
  ])(
    'are not made where they save nothing or the build has made them: %s, %s',
    async (path, accepted, coding) => {
      expect((await get(path, accepted)).headers['content-encoding']).toBe(coding);
    },
  );

  it.each(['/empty.js', '/other.js', '/old.js'])(
    'are made where that of the build is empty, of another format or older: %s',
    async (path) => {
      const { headers, body } = await get(path, 'gzip');

      // The client of the test has decoded it.
      expect([headers['content-encoding'], body.toString()]).toEqual(['gzip', SCRIPT]);
    },
  );

  it('are the file itself once it has changed', async () => {
    client.write('app.js', `${SCRIPT}export {};`);

    const { headers, body } = await get('/app.js', 'br');

    expect([headers['content-encoding'], String(body)]).toEqual([undefined, `${SCRIPT}export {};`]);
  });

  it('are missing once the file is lost', async () => {
    client.lose('app.js');

    expect((await get('/app.js', 'br')).status).toBe(404);
  });

  it('take no more space than they may', async () => {
    // One of the two needs some 180 bytes in three codings.
    const files = new CompressedFiles(client.path, undefined, 250);
    const scripts = ClientFiles.read(client.path).all.filter(({ path }) => /^(app|chunk-.*)\.js$/.test(path));
    await files.compress(scripts, NEVER);

    const found = await Promise.all(scripts.map(({ path }) => files.find(path, ['br'])));

    expect(found.map((each) => each !== undefined)).toEqual([true, false]);
  });

  it('are not made after the end', async () => {
    const files = new CompressedFiles(client.path);
    await files.compress(ClientFiles.read(client.path).all, AbortSignal.abort());

    expect(await files.find('app.js', ['br'])).toBeUndefined();
  });

  it('leave an archive that is no variant of a file', async () => {
    expect((await get('/orders.csv.gz', 'gzip')).status).toBe(200);
    expect((await get('/ready.js.gz', 'gzip')).status).toBe(404);
  });
});
