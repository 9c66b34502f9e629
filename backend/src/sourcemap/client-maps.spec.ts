import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientMaps } from './client-maps.ts';

const DEBUG_ID = '85314830-023f-4cf1-a267-535f4e37bb17';
const MAP = '{"version":3,"sources":[],"names":[],"mappings":""}';

describe('ClientMaps', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'errata-maps-'));
    folders.push(folder);
    const client = join(folder, 'dist');
    await mkdir(join(client, 'assets'), { recursive: true });
    await mkdir(join(client, 'maps'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(client, name), text);
    return client;
  }

  it.each([
    ['the script', `a();\n//# debugId=${DEBUG_ID}\n`, MAP],
    ['the map', 'a();', MAP.replace('{', `{"debugId":"${DEBUG_ID}",`)],
    ['a map with a byte order mark', 'a();', MAP.replace('{', `\uFEFF{"debugId":"${DEBUG_ID}",`)],
    ['the map by its older name', 'a();', MAP.replace('{', `{"debug_id":"${DEBUG_ID}",`)],
  ])('finds a script by the debug id in %s', async (_name, code, map) => {
    const maps = await ClientMaps.open(await folderOf({ 'assets/a-1.js': code, 'assets/a-1.js.map': map }));

    expect(await maps.load(DEBUG_ID)).toEqual({ map, code });
    expect(await maps.load(DEBUG_ID.replaceAll('-', '').toUpperCase())).toEqual({ map, code });
  });

  it('finds maps beside links to folders above, in circles', async () => {
    const client = await folderOf({ 'assets/a-1.js': 'a();', 'assets/a-1.js.map': MAP });
    await symlink('..', join(client, 'assets', 'up'));
    await symlink('.', join(client, 'current'));

    const maps = await ClientMaps.open(client);

    expect([...maps.scripts.keys()]).toEqual(['assets/a-1.js']);
  });

  it('finds a script by its URL, for any path that the client is served below', async () => {
    const maps = await ClientMaps.open(await folderOf({ 'assets/a-1.js': 'a();', 'assets/a-1.js.map': MAP }));

    const ids = ['https://shop.example/assets/a-1.js', 'https://cdn.example/shop/v2/assets/a-1.js?x#y'].map(
      (url) => maps.idOfUrl(url),
    );

    expect(ids).toEqual(['assets/a-1.js', 'assets/a-1.js']);
    expect(await maps.load('assets/a-1.js')).toEqual({ map: MAP, code: 'a();' });
  });

  it.each([
    ['beside it', 'other.map', 'assets/other.map'],
    ['in another folder', '../maps/a%201.map?v=1', 'maps/a 1.map'],
    ['by its path', '/maps/a.map', 'maps/a.map'],
    ['last', 'none.map\n//# sourceMappingURL=other.map\n//# debugId=1', 'assets/other.map'],
  ])('finds the map that a script names %s', async (_name, url, file) => {
    const code = `a();\n//# sourceMappingURL=${url}\n`;
    const maps = await ClientMaps.open(await folderOf({ 'assets/a-1.js': code, [file]: MAP }));

    expect(await maps.load('assets/a-1.js')).toEqual({ map: MAP, code });
  });

  it.each([
    '../../a.map',
    '%2e%2e/../..%2fa.map',
    'https://cdn.example/assets/a.map',
    'data:,{}',
    '%',
    'a.map',
  ])('does not follow the name %s of a map to the outside or to nothing', async (url) => {
    const folder = await folderOf({ 'assets/a-1.js': `a();\n//# sourceMappingURL=${url}` });
    await writeFile(join(folder, '..', 'a.map'), MAP);

    expect((await ClientMaps.open(folder)).scripts).toEqual(new Map());
  });

  it.each([
    ['names a source map that is not in its folder', '//# sourceMappingURL=../../a.map'],
    ['names a source map that is not in its folder', '//# sourceMappingURL=https://cdn.example/a.map'],
    ['names a source map that is not in its folder', '//# sourceMappingURL=%'],
    ['has its source map in a data: URL, which is not read', '//# sourceMappingURL=data:,{}'],
    ['has no source map', ''],
  ])('says that a script %s: %s', async (why, comment) => {
    const maps = await ClientMaps.open(await folderOf({ 'assets/a-1.js': `a();\n${comment}` }));

    expect(maps.whyUnmapped('https://shop.example/assets/a-1.js')).toBe(why);
    expect(maps.whyUnmapped('https://shop.example/assets/b-1.js')).toBeUndefined();
  });

  it('loads no file outside its folder', async () => {
    const folder = await folderOf({ 'assets/a-1.js': 'a();', 'assets/a-1.js.map': MAP });
    await writeFile(`${folder}.js.map`, MAP);
    const maps = await ClientMaps.open(folder);

    expect(maps.idOfUrl('https://shop.example/a-1.js')).toBeUndefined();
    expect(maps.idOfUrl('no url')).toBeUndefined();
    expect(await maps.load('assets/../../etc/passwd')).toBeUndefined();
    expect(await maps.load(`../${folder.split('/').at(-1)}.js`)).toBeUndefined();
  });

  it('reads several clients; the first one wins for a script in two of them', async () => {
    const team = await folderOf({ 'assets/a-1.js': 'team();', 'assets/a-1.js.map': MAP });
    const builtIn = await folderOf({
      'assets/a-1.js': 'builtIn();',
      'assets/a-1.js.map': MAP,
      'assets/b-1.js': 'b();',
      'assets/b-1.js.map': MAP,
    });
    const maps = await ClientMaps.open(team, builtIn, builtIn);

    expect(await maps.load('assets/a-1.js')).toEqual({ map: MAP, code: 'team();' });
    expect(await maps.load('assets/b-1.js')).toEqual({ map: MAP, code: 'b();' });
    expect([...maps.scripts.keys()].toSorted()).toEqual(['assets/a-1.js', 'assets/b-1.js']);
  });

  it('returns the map of a deleted script', async () => {
    const maps = await ClientMaps.open(await folderOf({ 'assets/a-1.js.map': MAP }));

    expect(await maps.load('assets/a-1.js')).toEqual({ map: MAP, code: null });
  });

  it('has no maps without the folder', async () => {
    const maps = await ClientMaps.open(join(tmpdir(), 'errata-no-such-folder'));

    expect(await maps.load(DEBUG_ID)).toBeUndefined();
  });
});
