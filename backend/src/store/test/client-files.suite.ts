import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ServedFolder } from '../client-files/store-files.ts';
import { DAY_MS } from '../../time/iso.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import type { TestedStore } from './tested-store.fixture.ts';

const PLENTY = 1e9;
const MIB = 2 ** 20;

/** Tests of the files of served clients in the store. */
export function describeClientFiles(stores: StoresUnderTest): void {
  describe('storeClientFiles', () => {
    const folders: string[] = [];
    afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

    /** Writes a build. Its scripts are text, all other files are not. */
    async function build(files: Readonly<Record<string, string | Buffer>>): Promise<ServedFolder> {
      const root = await mkdtemp(join(tmpdir(), 'errata-build-'));
      folders.push(root);
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), content);
      }
      return {
        root,
        files: Object.keys(files).map((path) => ({ path, isText: path.endsWith('.js') })),
      };
    }

    async function textOf(store: TestedStore, path: string): Promise<string | undefined> {
      const stored = await store.ask('clientFile', path);
      if (stored === undefined) return undefined;
      const body = Buffer.from(stored.body);
      return String(stored.coding === 'gzip' ? gunzipSync(body) : body);
    }

    const textsOf = (store: TestedStore, ...paths: readonly string[]) =>
      Promise.all(paths.map((path) => textOf(store, path)));

    it('keeps the files of an earlier build, text compressed', async () => {
      const store = await stores.open();
      const script = 'a();'.repeat(100);
      const first = await build({ 'assets/a-AbCd1234.js': script, 'logo-AbCd1234.png': 'pixels' });
      const second = await build({ 'assets/b-AbCd1234.js': 'b();' });

      const stored = await store.ask('storeClientFiles', [first], PLENTY);
      await store.ask('storeClientFiles', [second], PLENTY);

      expect(stored).toMatchObject({ added: 2, skipped: 0, removed: 0, files: 2 });
      expect(stored.bytes).toBeLessThan(100);
      expect(
        await textsOf(store, 'assets/a-AbCd1234.js', 'logo-AbCd1234.png', 'assets/b-AbCd1234.js'),
      ).toEqual([script, 'pixels', 'b();']);
      expect((await store.ask('clientFile', 'logo-AbCd1234.png'))?.coding).toBe('identity');
      expect(await store.ask('clientFile', 'assets/c-AbCd1234.js')).toBeUndefined();
    });

    it('adds nothing at a second start, and the files of all clients at once', async () => {
      const store = await stores.open();
      const builds = [await build({ 'a-AbCd1234.js': 'a' }), await build({ 'console/b-AbCd1234.js': 'b' })];
      const first = await store.ask('storeClientFiles', builds, PLENTY);

      const again = await (await stores.open()).ask('storeClientFiles', builds, PLENTY);

      expect(again).toEqual({ ...first, added: 0 });
      expect(first).toMatchObject({ added: 2, files: 2 });
    });

    it('replaces a copy that was read while the build still wrote the file', async () => {
      const store = await stores.open();
      const folder = await build({ 'a-AbCd1234.js': 'half' });
      await store.ask('storeClientFiles', [folder], PLENTY);
      await writeFile(join(folder.root, 'a-AbCd1234.js'), 'half, and the rest');

      const healed = await store.ask('storeClientFiles', [folder], PLENTY);

      expect(healed).toMatchObject({ added: 1, files: 1 });
      expect(await textOf(store, 'a-AbCd1234.js')).toBe('half, and the rest');
    });

    it('leaves out pictures where the space ends, not scripts', async () => {
      const store = await stores.open();
      const folder = await build({ 'a-AbCd1234.png': 'p'.repeat(80), 'z-AbCd1234.js': 'z' });

      const stored = await store.ask('storeClientFiles', [folder], 90);

      expect(stored).toMatchObject({ added: 1, skipped: 1, examples: ['a-AbCd1234.png'], files: 1 });
      expect(await textOf(store, 'z-AbCd1234.js')).toBe('z');
    });

    it('removes the files that no process has served for the longest time above the limit', async () => {
      const store = await stores.open();
      const builds = await Promise.all(
        ['c', 'a', 'b'].map((name) => build({ [`${name}-AbCd1234.png`]: randomBytes(100) })),
      );
      for (const folder of builds) {
        await store.ask('storeClientFiles', [folder], PLENTY);
        stores.nowMs += DAY_MS;
      }
      // The first build is served again, as after a rollback.
      await store.ask('storeClientFiles', builds.slice(0, 1), PLENTY);

      const cut = await store.ask('storeClientFiles', builds.slice(2), 250);

      expect(cut).toMatchObject({ added: 0, removed: 1, files: 2, bytes: 200 });
      expect(await textOf(store, 'a-AbCd1234.png')).toBeUndefined();
    });

    it('removes all files and stores none with a limit of 0', async () => {
      const store = await stores.open();
      const folder = await build({ 'a-AbCd1234.js': 'a' });
      await store.ask('storeClientFiles', [folder], PLENTY);

      const withdrawn = await store.ask('storeClientFiles', [folder], 0);

      expect(withdrawn).toEqual({ added: 0, skipped: 0, removed: 1, files: 0, bytes: 0 });
    });

    it('counts the files above the maximum number, which are those of the present build that matter least', async () => {
      const store = await stores.open();
      const folder = await build({ 'z-AbCd1234.js': 'z' });
      // Only the script exists.
      const lost = Array.from({ length: 20_001 }, (_, index) => ({
        path: `${index}-AbCd1234.png`,
        isText: false,
      }));

      const stored = await store.ask(
        'storeClientFiles',
        [{ ...folder, files: [...lost, ...folder.files] }],
        PLENTY,
      );

      expect(stored).toMatchObject({ added: 1, tooMany: 2, files: 1 });
    });

    it('deletes files by age, counted from the last day on which a process served them', async () => {
      const store = await stores.open();
      const [served, old] = [await build({ 'a-AbCd1234.js': 'a' }), await build({ 'b-AbCd1234.js': 'b' })];
      await store.ask('storeClientFiles', [served, old], PLENTY);
      stores.nowMs += 20 * DAY_MS;
      await store.ask('storeClientFiles', [served], PLENTY);
      stores.nowMs += 11 * DAY_MS;

      await store.ask('deleteUnservedFiles', 30 * DAY_MS, stores.nowMs);

      expect(await textsOf(store, 'a-AbCd1234.js', 'b-AbCd1234.js')).toEqual(['a', undefined]);
    });

    it('deletes no file that a process serves with the shortest retention', async () => {
      const store = await stores.open();
      const folder = await build({ 'a-AbCd1234.js': 'a' });
      await store.ask('storeClientFiles', [folder], PLENTY);
      stores.nowMs += 1.5 * DAY_MS;

      await store.ask('deleteUnservedFiles', DAY_MS, stores.nowMs);

      expect(await textOf(store, 'a-AbCd1234.js')).toBe('a');
    });

    it('skips files that are too large, vanished or no files, and stores the others', async () => {
      const store = await stores.open();
      const folder = await build({
        'a-AbCd1234.js': 'a',
        'b-AbCd1234.png': '',
        'c-AbCd1234.js': '',
        'd-AbCd1234.js': '',
      });
      await truncate(join(folder.root, 'b-AbCd1234.png'), 16 * MIB + 1);
      await truncate(join(folder.root, 'c-AbCd1234.js'), 64 * MIB + 1);
      await rm(join(folder.root, 'd-AbCd1234.js'));

      const stored = await store.ask('storeClientFiles', [folder], PLENTY);

      expect(stored).toMatchObject({ added: 1, skipped: 2, unreadable: expect.stringContaining('ENOENT') });
      await mkdir(join(folder.root, 'd-AbCd1234.js'));
      expect(await store.ask('storeClientFiles', [folder], PLENTY)).toMatchObject({
        added: 0,
        unreadable: expect.stringContaining('not a regular file'),
      });
    });

    it('lets replicas with different builds store and remove at the same time', async () => {
      const names = Array.from(
        { length: 200 },
        (_, index) => `${index}-AbCd1234.${index % 3 === 0 ? 'png' : 'js'}`,
      );
      const fill = (all: readonly string[]) => build(Object.fromEntries(all.map((name) => [name, name])));
      const [first, second] = [await fill(names.slice(0, 150)), await fill(names.slice(50).toReversed())];
      const replicas = await Promise.all([stores.open(), stores.open(), stores.open(), stores.open()]);

      for (const maxBytes of [PLENTY, 0, PLENTY, 5_000]) {
        stores.nowMs += DAY_MS;
        await Promise.all(
          replicas.map((store, index) =>
            store.ask('storeClientFiles', [index % 2 === 0 ? first : second], maxBytes),
          ),
        );
      }

      const kept = await replicas[0]?.ask('storeClientFiles', [first], 5_000);
      expect(kept?.bytes).toBeLessThanOrEqual(5_000);
      expect(kept?.files).toBeGreaterThan(100);
    });
  });
}
