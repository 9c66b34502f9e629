import { gzipSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import request, { type Response, type Test } from 'supertest';
import { type EventStore, StoreUnavailable } from '../store/event-store.ts';
import { ClientFolder } from './client-folder.fixture.ts';
import { servedClients } from './served-clients.ts';
import { StoredFiles } from './stored-files.ts';
import { webApplication } from './web-application.fixture.ts';
import { WEB_OPTIONS } from './web-options.fixture.ts';

const SCRIPT = 'export const value = 1;\n'.repeat(100);
const FILES = {
  'assets/old-AbCd1234.js': SCRIPT,
  'assets/old-Settings.js': SCRIPT,
  'assets/old-AbCd1234.woff2': 'font',
  'assets/large-AbCd1234.png': 'pixel'.repeat(60_000),
  'console/assets/old-AbCd1234.css': SCRIPT,
};
const PATHS = Object.keys(FILES) as (keyof typeof FILES)[];
const HASHED = 'assets/old-AbCd1234.js';

/** A store with the files of another build, which answers when the test says so. */
class FakeStore {
  readonly asked: string[] = [];
  isAway = false;
  answered: Promise<void> = Promise.resolve();

  async ask(_: 'clientFile', path: string) {
    this.asked.push(path);
    await this.answered;
    if (this.isAway) throw new StoreUnavailable('connect ENOENT /run/.s.PGSQL.5432');
    const content = (FILES as Readonly<Record<string, string>>)[path];
    if (content === undefined) return undefined;
    const isText = content === SCRIPT;
    return isText
      ? { coding: 'gzip', body: new Uint8Array(gzipSync(content)) }
      : { coding: 'identity', body: new TextEncoder().encode(content) };
  }
}

describe('the files of another build', () => {
  let store: FakeStore;
  let counts: string[];
  let stored: StoredFiles;
  let client: ClientFolder;
  let builtIn: ClientFolder;
  let application: NestExpressApplication;

  beforeEach(async () => {
    store = new FakeStore();
    counts = [];
    stored = new StoredFiles(store as unknown as EventStore, (source) => void counts.push(source));
    client = new ClientFolder({ 'assets/new-AbCd1234.js': 'new();' });
    builtIn = new ClientFolder();
    application = await serving(stored, client);
  });

  afterEach(async () => {
    await application.close();
    client.remove();
    builtIn.remove();
  });

  const serving = (files: StoredFiles | null, { path: clientDir }: ClientFolder) =>
    webApplication(
      servedClients({
        ...WEB_OPTIONS,
        routes: ['/photos/:id'],
        stored: files,
        clientDir,
        builtInDir: builtIn.path,
      }),
    );
  const get = (path: string, coding = 'gzip'): Test =>
    request(application.getHttpServer()).get(`/${path}`).set('Accept-Encoding', coding);
  const shown = ({ status, headers }: Response) => {
    const own = ['date', 'connection', 'keep-alive', 'etag', 'last-modified', 'accept-ranges'];
    return { status, ...Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name))) };
  };

  it.each(PATHS)(
    'have the headers that they have in the folder, but for the validators: %s',
    async (path) => {
      const isConsole = path.startsWith('console/');
      const gz = gzipSync(FILES[path]);
      const build = new ClientFolder({
        [path]: FILES[path],
        ...(FILES[path] === SCRIPT && { [`${path}.gz`]: gz }),
      });
      await application.close();
      const same = isConsole
        ? { clientDir: client.path, builtInDir: build.path }
        : { clientDir: build.path, builtInDir: builtIn.path };
      application = await webApplication(servedClients({ ...WEB_OPTIONS, ...same }));
      const inFolder = await Promise.all([get(path), get(path, 'identity')]);
      await application.close();
      application = await serving(stored, client);

      const fromStore = await Promise.all([get(path), get(path, 'identity')]);

      expect(fromStore.map(shown)).toEqual(inFolder.map(shown));
      expect(fromStore.map(({ text, body }) => text ?? String(body))).toEqual([FILES[path], FILES[path]]);
      expect(new Set(store.asked)).toEqual(new Set([path]));
      build.remove();
    },
  );

  it('have a strong validator for each coding, and the same headers for HEAD', async () => {
    const [packed, plain] = await Promise.all([get(HASHED), get(HASHED, 'identity')]);
    const etags = [packed, plain].map(({ headers }) => String(headers['etag']));
    const again = await Promise.all(etags.map((etag) => get(HASHED).set('If-None-Match', etag)));
    const head = await request(application.getHttpServer()).head(`/${HASHED}`).set('Accept-Encoding', 'gzip');

    expect(etags).toEqual([
      expect.stringMatching(/^"[^"]+-gzip"$/),
      expect.stringMatching(/^"[^"]+-identity"$/),
    ]);
    expect(again.map(({ status }) => status)).toEqual([304, 200]);
    expect(shown(head)).toEqual(shown(packed));
    expect(head.text).toBeUndefined();
  });

  it('are sent whole where a part is asked for', async () => {
    const { status, headers } = await get(HASHED, 'identity').set('Range', 'bytes=7-11');

    expect([status, headers['content-length']]).toEqual([200, String(SCRIPT.length)]);
  });

  it('come from the store where the folder has lost its own', async () => {
    await application.close();
    const lost = new ClientFolder({ [HASHED]: 'its own' });
    application = await serving(stored, lost);
    const own = await get(HASHED);
    lost.lose(HASHED);

    expect([own.text, (await get(HASHED)).text]).toEqual(['its own', SCRIPT]);
    lost.remove();
  });

  it('never win over a file or a page of this build', async () => {
    expect((await get('assets/new-AbCd1234.js')).text).toBe('new();');
    expect((await get('')).text).toContain('Shop');
    expect(store.asked).toEqual([]);
  });

  it('are looked up once for all requests at once, and not again while many ask for them', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(HASHED)));
    await get(HASHED);

    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(store.asked).toEqual([HASHED]);
    expect(counts).toEqual(Array(51).fill('store'));
  });

  it('are not kept in memory where they are large', async () => {
    await get('assets/large-AbCd1234.png');
    await get('assets/large-AbCd1234.png');

    expect(store.asked).toHaveLength(2);
  });

  it('are looked up again as long as no replica has stored them', async () => {
    const statuses = [
      (await get('assets/gone-AbCd1234.js')).status,
      (await get('assets/gone-AbCd1234.js')).status,
    ];

    expect(statuses).toEqual([404, 404]);
    expect(store.asked).toHaveLength(2);
    expect(counts).toEqual(['missing', 'missing']);
  });

  it('give way to the page of a route that a person opens', async () => {
    const answer = await get('photos/a1b2c3d4.png')
      .set('Sec-Fetch-Dest', 'document')
      .set('Accept', 'text/html');

    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Shop')]);
  });

  it.each([
    'assets/%2e%2e/old-AbCd1234.js',
    'assets%2Fold-AbCd1234.js',
    'assets/%00-AbCd1234.js',
    '.git/old-AbCd1234.js',
    'assets/old.js',
    'assets/old-AbCd1234.js.map',
    'assets/old-AbCd1234.html',
    '/assets/old-AbCd1234.js',
  ])('are not looked up under a name that none has: %s', async (path) => {
    const { status } = await get(path);

    expect([status, store.asked]).toEqual([404, []]);
  });

  it('know no other methods than a file of the folder', async () => {
    const paths = ['assets/new-AbCd1234.js', HASHED, 'assets/gone-AbCd1234.js'];
    const answers = async (method: 'post' | 'put' | 'options') =>
      Promise.all(paths.map((path) => request(application.getHttpServer())[method](`/${path}`)));
    const [post = [], put = [], options = []] = await Promise.all(
      (['post', 'put', 'options'] as const).map(answers),
    );

    expect([post, put, options].map((each) => each.map(({ status }) => status))).toEqual([
      [405, 405, 404],
      [405, 405, 404],
      [204, 204, 404],
    ]);
    expect([post, put, options].map(([, answer]) => answer?.headers['allow'])).toEqual(
      Array(3).fill('GET, HEAD, OPTIONS'),
    );
  });

  it('are unavailable while the store is away, and looked up again afterwards', async () => {
    store.isAway = true;
    await expect(stored.find(HASHED, [])).rejects.toThrow(StoreUnavailable);
    // Not 404, by serve-static; the filter of errors makes it 503.
    expect((await get(HASHED)).status).toBe(500);
    store.isAway = false;

    expect(String((await stored.find(HASHED, []))?.body)).toBe(SCRIPT);
  });

  it('are unavailable while 64 other names are looked up', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    store.answered = promise;
    const names = Array.from({ length: 64 }, (_, index) => `assets/${index}-AbCd1234.js`);
    const running = names.map((name) => stored.find(name, []));

    await expect(stored.find(HASHED, [])).rejects.toThrow(StoreUnavailable);
    const shared = stored.find('assets/0-AbCd1234.js', []);
    resolve();

    expect(await Promise.all([...running, shared])).toEqual(Array(65).fill(undefined));
    expect(await stored.find(HASHED, [])).toBeDefined();
  });
});
