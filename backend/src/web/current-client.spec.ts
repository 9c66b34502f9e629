import { statSync } from 'node:fs';
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
    const read = (): ForeignClient => {
      readings += 1;
      return ForeignClient.read(folder.path, { ...WEB_OPTIONS, httpsOnly: null });
    };
    const onReload = (error: unknown): void => void results.push(error);
    client = new CurrentClient({ clientDir: folder.path, read, onReload, now: () => nowMs });
  });

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

  it('is not read again while its index.html is the same', () => {
    folder.write('new.js', '');
    nowMs += LONG_AFTER_MS;

    expect(parts().files.find(['new.js'])).toBeUndefined();
    expect(readings).toBe(1);
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
