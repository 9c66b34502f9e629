import { gzipSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import request, { type Test } from 'supertest';
import { ClientFolder } from './client-folder.fixture.ts';
import { servedClients } from './served-clients.ts';
import { webApplication } from './web-application.fixture.ts';
import { WEB_OPTIONS } from './web-options.fixture.ts';

const SCRIPT = 'export const value = 1;\n'.repeat(100);
const PAGE = `<!doctype html><title>Help${'.'.repeat(2_000)}`;
const ALL_CODINGS = ['identity', 'gzip', 'br', 'zstd'];

/** Codings in which each of them is sent: index.html, a page, a script that the server compresses, one that the build has. */
const FORMS: readonly (readonly [path: string, codings: readonly string[]])[] = [
  ['/', ALL_CODINGS],
  ['/help', ALL_CODINGS],
  ['/app.js', ALL_CODINGS],
  ['/ready.js', ['identity', 'gzip']],
];

describe('caches and parts of the files of another client', () => {
  let builtIn: ClientFolder;
  let client: ClientFolder;
  let application: NestExpressApplication;

  beforeEach(async () => {
    builtIn = new ClientFolder();
    client = new ClientFolder({
      'help.html': PAGE,
      'app.js': SCRIPT,
      'ready.js': SCRIPT,
      'ready.js.gz': gzipSync(SCRIPT),
    });
    const served = servedClients({ ...WEB_OPTIONS, builtInDir: builtIn.path, clientDir: client.path });
    await served.compress?.(new AbortController().signal);
    application = await webApplication({ ...served, compress: undefined });
  });

  afterEach(async () => {
    await application.close();
    builtIn.remove();
    client.remove();
  });

  /** The client of the test would decode the bodies itself. */
  const raw = (test: Test): Test => test.buffer(false).parse((_, done) => done(null, null));
  const get = (path: string, coding: string): Test =>
    raw(request(application.getHttpServer()).get(path).set('Accept-Encoding', coding));

  it.each(FORMS)(
    'have one ETag for each coding, which is good for that coding alone: %s',
    async (path, codings) => {
      const answers = await Promise.all(codings.map((coding) => get(path, coding)));
      const etags = answers.map(({ headers }) => String(headers['etag']));
      const again = await Promise.all(
        codings.map((coding) =>
          Promise.all(etags.map(async (etag) => (await get(path, coding).set('If-None-Match', etag)).status)),
        ),
      );

      expect(new Set(etags).size).toBe(codings.length);
      expect(answers.map(({ headers }) => headers['content-encoding'] ?? 'identity')).toEqual(codings);
      expect(again).toEqual(
        codings.map((_, row) => codings.map((__, column) => (row === column ? 304 : 200))),
      );
    },
  );

  it.each(FORMS)('tell caches that the answer depends on the coding, also with 304: %s', async (path) => {
    const { headers } = await get(path, 'gzip');
    const again = await get(path, 'gzip').set('If-None-Match', String(headers['etag']));

    expect([headers['vary'], again.headers['vary']]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
    expect([again.status, again.headers['etag']]).toEqual([304, headers['etag']]);
  });

  it.each(FORMS)('have the same headers for HEAD as for GET, and no body: %s', async (path, codings) => {
    const head = (coding: string): Test =>
      request(application.getHttpServer()).head(path).set('Accept-Encoding', coding);
    const shown = ({ status, headers }: Awaited<Test>): unknown => {
      const { date: _date, connection: _connection, 'keep-alive': _alive, ...rest } = headers;
      return { status, ...rest };
    };

    for (const coding of codings) expect(shown(await head(coding))).toEqual(shown(await get(path, coding)));
  });

  it.each([
    ['bytes=7-11', 206, `bytes 7-11/${SCRIPT.length}`],
    ['bytes=-3', 206, `bytes ${SCRIPT.length - 3}-${SCRIPT.length - 1}/${SCRIPT.length}`],
    [`bytes=${SCRIPT.length}-`, 416, `bytes */${SCRIPT.length}`],
    ['lines=1-2', 200, undefined],
  ])('are sent in parts, of the bytes in the folder: %s', async (range, status, contentRange) => {
    const answer = await get('/app.js', 'br').set('Range', range);

    expect([answer.status, answer.headers['content-range'], answer.headers['content-encoding']]).toEqual([
      status,
      contentRange,
      undefined,
    ]);
  });

  it('are sent whole where a part of an older file is asked for', async () => {
    const { headers } = await get('/app.js', 'identity');
    const date = String(headers['last-modified']);

    const same = await get('/app.js', 'br').set('Range', 'bytes=7-11').set('If-Range', date);
    const older = await get('/app.js', 'br')
      .set('Range', 'bytes=7-11')
      .set('If-Range', new Date(0).toUTCString());

    expect([same.status, older.status]).toEqual([206, 200]);
  });
});
