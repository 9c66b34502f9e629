import { renameSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ClientFolder } from './client-folder.fixture.ts';
import { CurrentClient } from './current-client.ts';
import { ForeignClient } from './foreign-client.ts';
import { WEB_OPTIONS } from './web-options.fixture.ts';

const NEW = '<!doctype html><title>New shop</title>';
/** Of the start of the process, before any file is written. */
const AGE_MS = 60_000;
const LONG_AFTER_MS = 2 * AGE_MS;

describe('a client in its folder', () => {
  let folder: ClientFolder;
  let client: CurrentClient;
  let nowMs: number;
  let readings: number;
  let results: unknown[];
  let over: AbortController;

  beforeEach(() => {
    over = new AbortController();
    folder = new ClientFolder();
    nowMs = Date.now() - AGE_MS;
    readings = 0;
    results = [];
    client = clientAt(folder.path);
  });

  function clientAt(clientDir: string): CurrentClient {
    const read = (root: string, paths: readonly string[]): ForeignClient => {
      readings += 1;
      return ForeignClient.read(root, paths, { ...WEB_OPTIONS, httpsOnly: null });
    };
    const onReload = (error: unknown): void => void results.push(error);
    return new CurrentClient({ clientDir, read, onReload, now: () => nowMs });
  }

  afterEach(() => {
    over.abort();
    folder.remove();
  });

  const parts = () => client.get().parts(() => true);
  const title = (): string | undefined =>
    /<title>(.*)<\/title>/.exec(String(parts().index.in('identity').body))?.[1];
  const changedMs = (): number => statSync(join(folder.path, 'index.html')).ctimeMs;

  it('is read again, with all its files and its policy, once its index.html has changed', () => {
    folder.write('new.js', '');
    folder.write('404.html', '<style>p {}</style>Gone');
    folder.write('index.html', NEW);
    nowMs += LONG_AFTER_MS;

    expect(title()).toBe('New shop');
    expect(parts().files.find(['new.js'])).toBeDefined();
    expect(client.get().notFound?.headers['Content-Security-Policy-Report-Only']).toContain("'sha256-");
    expect([readings, results]).toEqual([2, [undefined]]);
  });

  it('is not read again while its index.html and the names of its files are the same', () => {
    folder.write('app.js', '');
    client = clientAt(folder.path);
    folder.write('app.js', 'export {};');
    nowMs += LONG_AFTER_MS;
    title();

    expect(readings).toBe(2);
  });

  it.each(['new.js', 'assets/new.js', 'docs/api/new.js', 'docs/api/v2/new.js'])(
    'is read again once a later step of the build has written %s',
    (path) => {
      folder.write('assets/app.js', '');
      folder.write('docs/api/index.html', '');
      client = clientAt(folder.path);
      folder.write(path, '');
      nowMs += LONG_AFTER_MS;

      expect(parts().files.find(path.split('/'))).toBeDefined();
    },
  );

  it('is read again once another index.html of the same size and time has replaced the old one', () => {
    const index = join(folder.path, 'index.html');
    const { atime, mtime } = statSync(index);
    folder.write('next.html', '<!doctype html><title>Shoe</title>');
    utimesSync(join(folder.path, 'next.html'), atime, mtime);
    renameSync(join(folder.path, 'next.html'), index);
    nowMs += LONG_AFTER_MS;

    expect(title()).toBe('Shoe');
  });

  it('is the one in the new folder once a deploy has swapped the link to it', async () => {
    const next = new ClientFolder({ 'index.html': NEW, 'new.js': '' });
    const link = join(folder.parent, 'current');
    symlinkSync(folder.path, link);
    client = clientAt(link);
    symlinkSync(next.path, `${link}-next`);
    renameSync(`${link}-next`, link);
    nowMs += LONG_AFTER_MS;
    const file = parts().files.find(['new.js']);

    expect(title()).toBe('New shop');
    expect(file === undefined ? undefined : await parts().files.statusOf(file)).toBeDefined();
    next.remove();
  });

  it('stays as it was while its folder is away, or its index.html is empty', () => {
    folder.write('index.html', '');
    nowMs += LONG_AFTER_MS;
    const empty = title();
    renameSync(folder.path, `${folder.path}-away`);
    nowMs += LONG_AFTER_MS;

    expect([empty, title(), results]).toEqual(['Shop', 'Shop', []]);
  });

  it('is looked at once a second', () => {
    nowMs += LONG_AFTER_MS;
    title();
    folder.write('index.html', NEW);

    nowMs += 999;
    expect(title()).toBe('Shop');
    nowMs += 1;
    expect(title()).toBe('New shop');
  });

  it('stays as it was until a change is a second old, because a build writes other files after it', () => {
    folder.write('index.html', NEW);
    // As after a copy that keeps the time of the build.
    utimesSync(join(folder.path, 'index.html'), 1, 1);
    nowMs = changedMs() + 999;
    const before = title();
    nowMs = changedMs() + 1_999;

    expect([before, title()]).toEqual(['Shop', 'New shop']);
  });

  it('stays as it was while a build has removed its index.html', () => {
    folder.lose('index.html');
    nowMs += LONG_AFTER_MS;
    const before = title();
    folder.write('index.html', NEW);
    nowMs += LONG_AFTER_MS;

    expect([before, title()]).toEqual(['Shop', 'New shop']);
  });

  it('stays as it was, with one report, where the new build cannot be read', () => {
    folder.write('routes.json', '{');
    folder.write('index.html', NEW);
    nowMs += LONG_AFTER_MS;
    const before = title();
    nowMs += LONG_AFTER_MS;

    expect([before, title()]).toEqual(['Shop', 'Shop']);
    expect(results.map(String)).toEqual([expect.stringContaining('routes.json')]);
  });

  it('has the files of the new build compressed', async () => {
    await client.compress(new AbortController().signal);
    folder.write('new.js', 'export {};\n'.repeat(200));
    folder.write('index.html', NEW);
    nowMs += LONG_AFTER_MS;

    let found = undefined;
    while (found === undefined && !over.signal.aborted) {
      found = await parts().compressed?.find('new.js', ['br']);
      await setImmediate();
    }
    expect(found?.coding).toBe('br');
  });
});
