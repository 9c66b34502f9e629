import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  browserEvent,
  DELIVERED,
  type EventBody,
  eventEnvelope,
  eventIdOf,
  PROJECT,
} from './envelopes.fixture.ts';
import { NO_SENDER } from '../../sink/queued-envelope.ts';
import type { TestedStore } from './tested-store.fixture.ts';
import type { StoresUnderTest } from './store-under-test.fixture.ts';
import { DAY_MS } from '../../time/iso.ts';

const PLENTY = 1e9;
const OTHER_HOST = 'it is from another host than this server';
const ID_A = 'aaaaaaaa-0000-4000-8000-000000000001';
const OTHER_PROJECT = PROJECT.replace('/1', '/2');
const ID_B = 'bbbbbbbb-0000-4000-8000-000000000002';

/** A script with its map, whose first line was the first of `source`. */
interface Script {
  readonly path: string;
  readonly source: string;
  readonly debugId?: string;
  /** Text that does not pack. */
  readonly noise?: string;
}

/** How an event names the script it failed in, and its page; `host` is the one that its sender has requested. */
interface Failure {
  /** Below the page's host, or a URL. */
  readonly path: string;
  readonly project?: string;
  readonly release?: string | null;
  readonly debugId?: string;
  readonly page?: string;
  readonly host?: string;
}

function eventIn({ path, release = 'shop@1', debugId, page }: Failure, number: number): EventBody {
  const url = new URL(path, 'https://shop.example').href;
  const frames = [{ filename: url, function: 'r', lineno: 1, colno: 1 }];
  const images = debugId === undefined ? [] : [{ type: 'sourcemap', code_file: url, debug_id: debugId }];
  return browserEvent(number, {
    release: release ?? undefined,
    ...(page === undefined ? {} : { request: { url: page } }),
    debug_meta: { images },
    exception: { values: [{ type: 'TypeError', value: 'cart is gone', stacktrace: { frames } }] },
  });
}

export function describeSourceMaps(stores: StoresUnderTest): void {
  describe('storeSourceMaps', () => {
    const folders: string[] = [];
    let events = 0;
    afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

    async function clientOf(...scripts: readonly Script[]): Promise<string> {
      const folder = await mkdtemp(join(tmpdir(), 'errata-kept-'));
      folders.push(folder);
      await build(folder, ...scripts);
      return folder;
    }

    async function build(folder: string, ...scripts: readonly Script[]): Promise<void> {
      for (const { path, source, debugId, noise = '' } of scripts) {
        const file = join(folder, path);
        await mkdir(dirname(file), { recursive: true });
        const map = { version: 3, sources: [source], sourcesContent: [noise], names: [], mappings: 'AAAA' };
        await writeFile(file, `a();${debugId === undefined ? '' : `\n//# debugId=${debugId}\n`}`);
        await writeFile(`${file}.map`, JSON.stringify(map));
      }
    }

    /** Opens a store that serves these scripts and stores their maps. */
    async function deploy(release: string, ...scripts: readonly Script[]): Promise<TestedStore> {
      const store = await stores.openServing(await clientOf(...scripts), release, {
        publicOrigin: 'https://public.example',
        otherProjects: [OTHER_PROJECT],
      });
      await store.ask('storeSourceMaps', { release, maxBytes: PLENTY });
      return store;
    }

    /** The source file the event is shown to fail in, or why there is none. */
    async function placeOf(store: TestedStore, failure: Failure): Promise<string | null | undefined> {
      events += 1;
      const { project = PROJECT, host = 'shop.example' } = failure;
      const facts = { project, sender: { ...NO_SENDER, host } };
      expect(await store.ingest([eventEnvelope(eventIn(failure, events), facts)])).toEqual([DELIVERED]);
      const event = await store.ask('event', eventIdOf(events));
      return event?.unmapped ?? event?.exceptions[0]?.frames[0]?.file;
    }

    it('maps the events of an old tab after a deploy with other file names', async () => {
      await deploy('shop@1', { path: 'assets/index-AbCd1234.js', source: 'src/cart.ts' });

      const later = await deploy('shop@2', { path: 'assets/index-XyZw5678.js', source: 'src/basket.ts' });

      expect(await placeOf(later, { path: 'assets/index-AbCd1234.js' })).toBe('src/cart.ts');
      expect(await placeOf(later, { path: 'below/assets/index-AbCd1234.js' })).toBe('src/cart.ts');
      expect(await placeOf(later, { path: 'https://cdn.example/assets/index-AbCd1234.js' })).toBe(
        'src/cart.ts',
      );
      expect(await placeOf(later, { path: 'assets/index-XyZw5678.js' })).toBe('src/basket.ts');
    });

    it('maps by the debug id a script that is served under another name', async () => {
      await deploy('shop@1', { path: 'assets/index-AbCd1234.js', source: 'src/cart.ts', debugId: ID_A });

      const later = await deploy('shop@2');

      expect(await placeOf(later, { path: 'cdn/other.js', debugId: ID_A.toUpperCase() })).toBe('src/cart.ts');
      expect(await placeOf(later, { path: 'cdn/other.js', debugId: ID_B })).toContain('no source map');
    });

    it('distinguishes scripts of one name without content hash: by debug id, else by release', async () => {
      await deploy('shop@1', { path: 'app.js', source: 'src/cart.ts', debugId: ID_A });
      const later = await deploy('shop@2', { path: 'app.js', source: 'src/basket.ts', debugId: ID_B });

      expect(await placeOf(later, { path: 'app.js', debugId: ID_A })).toBe('src/cart.ts');
      expect(await placeOf(later, { path: 'app.js', debugId: ID_B, release: 'shop@1' })).toBe(
        'src/basket.ts',
      );
      expect(await placeOf(later, { path: 'app.js', release: 'shop@1' })).toBe('src/cart.ts');
      expect(await placeOf(later, { path: 'app.js', release: 'shop@2' })).toBe('src/basket.ts');
      // Neither build has it: no map is better than another content's.
      expect(await placeOf(later, { path: 'app.js', debugId: ID_A.replace('1', '3') })).toContain(
        'no source map for app.js',
      );
    });

    it.each<[string, Failure, string]>([
      ['of a third party', { path: 'https://widgets.example/app.js' }, OTHER_HOST],
      ['of another port', { path: 'https://shop.example:8443/app.js' }, OTHER_HOST],
      ['of a browser extension', { path: 'chrome-extension://abc/app.js' }, OTHER_HOST],
      [
        'of the page that the event names',
        { path: 'https://evil.example/app.js', page: 'https://evil.example/' },
        OTHER_HOST,
      ],
      ['of another host than the requested one', { path: 'app.js', host: 'errata:3000' }, OTHER_HOST],
      ['of another application', { path: 'app.js', project: OTHER_PROJECT }, 'reports to another project'],
      [
        'of an earlier build',
        { path: 'app.js', release: 'shop@0' },
        'the served client is of release shop@1',
      ],
    ])('maps no script %s by a name without content hash, and says why', async (_, failure, why) => {
      const store = await deploy('shop@1', { path: 'app.js', source: 'src/cart.ts' });

      expect(await placeOf(store, failure)).toContain(why);
    });

    it.each([
      ['', '.map', 'the source map of app.js of release shop@1 cannot be read'],
      ['//# sourceMappingURL=data:,{}', '', 'in the served client has its source map in a data: URL'],
    ])('says why %j in app.js%s maps nothing', async (text, suffix, why) => {
      const folder = await clientOf();
      await writeFile(join(folder, `app.js${suffix}`), text);

      expect(await placeOf(await stores.openServing(folder, 'shop@1'), { path: 'app.js' })).toContain(why);
    });

    it.each<[string, Failure]>([
      ['a script of the public origin', { path: 'https://public.example/app.js' }],
      ['a script of the requested host, on any page', { path: 'app.js', page: 'https://evil.example/' }],
      ['a script of the requested host with its port', { path: 'app.js', host: 'SHOP.example:443' }],
      ['an event without a release', { path: 'app.js', release: null }],
      [
        'a content hash on another host',
        { path: 'https://cdn.example/a-AbCd1234.js', project: OTHER_PROJECT },
      ],
      ['a debug id on another host', { path: 'https://cdn.example/b.js', release: 'web@9', debugId: ID_A }],
    ])('maps %s', async (_, failure) => {
      const store = await deploy(
        'shop@1',
        { path: 'app.js', source: 'src/cart.ts' },
        { path: 'a-AbCd1234.js', source: 'src/cart.ts' },
        { path: 'b.js', source: 'src/cart.ts', debugId: ID_A },
      );

      expect(await placeOf(store, failure)).toBe('src/cart.ts');
    });

    it('maps a script that was removed from the client only for events of its release, if its name has no hash', async () => {
      await deploy('shop@1', { path: 'app.js', source: 'src/cart.ts' });
      const later = await deploy('shop@2');

      expect(await placeOf(later, { path: 'app.js', release: 'shop@1' })).toBe('src/cart.ts');
      expect(await placeOf(later, { path: 'app.js', release: 'shop@2' })).toContain('no source map');
      expect(await placeOf(later, { path: 'app.js', release: null })).toContain('no source map');
    });

    it('maps the events of a new build in the same folder, also in a script that keeps its name', async () => {
      const folder = await clientOf({ path: 'app.js', source: 'src/cart.ts' });
      const store = await stores.openServing(folder, 'shop@1');
      await placeOf(store, { path: 'app.js' });
      await build(
        folder,
        { path: 'app.js', source: 'src/basket.ts' },
        { path: 'assets/index-XyZw5678.js', source: 'src/new.ts' },
      );

      await store.ask('storeSourceMaps', { release: 'shop@1', maxBytes: PLENTY }, true);

      expect(await placeOf(store, { path: 'app.js' })).toBe('src/basket.ts');
      expect(await placeOf(store, { path: 'assets/index-XyZw5678.js' })).toBe('src/new.ts');
    });

    it('shares the maps between replicas, within a minute', async () => {
      const older = await deploy('shop@1', { path: 'assets/index-AbCd1234.js', source: 'src/cart.ts' });
      await placeOf(older, { path: 'assets/index-AbCd1234.js' });
      await deploy('shop@2', { path: 'assets/index-XyZw5678.js', source: 'src/basket.ts' });

      stores.nowMs += 60_000;

      expect(await placeOf(older, { path: 'assets/index-XyZw5678.js' })).toBe('src/basket.ts');
    });

    it('stores a map once', async () => {
      const script = { path: 'assets/index-AbCd1234.js', source: 'src/cart.ts' };
      const store = await deploy('shop@1', script, {
        ...script,
        path: 'assets/b-AbCd1234.js',
        debugId: ID_A,
      });

      const again = await store.ask('storeSourceMaps', { release: 'shop@2', maxBytes: PLENTY });

      expect(again).toEqual({ added: 0, skipped: 0, removed: 0, maps: 2, bytes: expect.any(Number) });
    });

    it('removes the least recently used maps above the limit, and none of the served client', async () => {
      const noise = Array.from({ length: 3_000 }, (_, index) =>
        String.fromCharCode(33 + ((index * index) % 90)),
      );
      const scriptOf = (name: string): Script => ({
        path: `assets/${name}-AbCd1234.js`,
        source: `src/${name}.ts`,
        noise: name + noise.join(''),
      });
      const first = await deploy('shop@1', scriptOf('one'));
      const { bytes = 0 } =
        (await first.ask('storeSourceMaps', { release: 'shop@1', maxBytes: PLENTY })) ?? {};
      stores.nowMs += 2 * DAY_MS;
      const second = await deploy('shop@2', scriptOf('two'));
      stores.nowMs += 2 * DAY_MS;
      // Used, the first one is younger than the second; the use is noted with the next look at the list.
      await placeOf(second, { path: 'assets/one-AbCd1234.js' });
      stores.nowMs += 60_000;
      await placeOf(second, { path: 'assets/none.js' });

      const third = await stores.openServing(await clientOf(scriptOf('three')), 'shop@3');
      const maxBytes = Math.ceil(bytes * 2.5);
      const kept = await third.ask('storeSourceMaps', { release: 'shop@3', maxBytes });

      expect(kept).toMatchObject({ added: 1, removed: 1, maps: 2 });
      expect(kept?.bytes).toBeLessThanOrEqual(maxBytes);
      expect(await placeOf(third, { path: 'assets/one-AbCd1234.js' })).toBe('src/one.ts');
      expect(await placeOf(third, { path: 'assets/two-AbCd1234.js' })).toContain('no source map');
    });

    it('skips maps above the limit, and counts them', async () => {
      const store = await stores.openServing(
        await clientOf({ path: 'a.js', source: 'a.ts' }, { path: 'b.js', source: 'b.ts' }),
        'shop@1',
      );

      expect(await store.ask('storeSourceMaps', { release: 'shop@1', maxBytes: 150 })).toMatchObject({
        added: 1,
        skipped: 1,
        maps: 1,
      });
    });

    it('names the cause where a map cannot be read, and stores the others', async () => {
      const folder = await clientOf({ path: 'a.js', source: 'a.ts' }, { path: 'b.js', source: 'b.ts' });
      await rm(join(folder, 'a.js.map'));
      await symlink('a.js.map', join(folder, 'a.js.map'));
      const store = await stores.openServing(folder, 'shop@1');

      expect(await store.ask('storeSourceMaps', { release: 'shop@1', maxBytes: PLENTY })).toMatchObject({
        added: 1,
        skipped: 0,
        unreadable: expect.stringContaining('ELOOP'),
      });
      expect(await placeOf(store, { path: 'a.js' })).toContain('no source map');
    });

    it('stores nothing without a served client', async () => {
      const store = await stores.open();

      expect(await store.ask('storeSourceMaps', { release: 'shop@1', maxBytes: PLENTY })).toBeUndefined();
    });
  });
}
