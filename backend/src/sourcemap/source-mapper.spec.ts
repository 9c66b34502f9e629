import { readFile } from 'node:fs/promises';
import { type BuiltClient, buildClient, removeClient, stackOf } from './built-client.fixture.ts';
import { ClientMaps } from './client-maps.ts';
import type { BuiltScript } from './parsed-script.ts';
import { SourceMapper } from './source-mapper.ts';

describe('SourceMapper', () => {
  let client: BuiltClient;
  let other: BuiltClient;
  beforeAll(async () => {
    client = await buildClient();
    other = await buildClient({
      ahead: '// A comment.\nexport const added = () => Math.random() + Date.now();\n',
    });
  });

  afterAll(() => Promise.all([client, other].map(removeClient)));

  async function mapped(built: BuiltClient, expression: string): Promise<readonly string[]> {
    const maps = await ClientMaps.open(built.directory);
    const mapper = new SourceMapper((id) => maps.load(id));
    const frames: string[] = [];
    for (const { line, column } of await stackOf(built, expression)) {
      const mapping = await mapper.map(built.debugId, line, column);
      if (mapping.outcome === 'mapped') frames.push(`${mapping.frame.function} ${mapping.frame.file}`);
    }
    return frames;
  }

  it.each([
    [
      'a constructor by its class',
      'open()',
      ['Cart src/app/checkout.ts', 'checkout src/app/checkout.ts', 'open src/main.ts'],
    ],
    [
      'methods, private ones too, and an arrow function by its property',
      'buttons.plain()',
      ['#reduced src/app/checkout.ts', 'total src/app/checkout.ts', 'plain src/main.ts'],
    ],
    [
      'a function wrapped by a library by its variable, and a callback by the function around it',
      'Page({ items: 3 })',
      [
        '#reduced src/app/checkout.ts',
        'total src/app/checkout.ts',
        'Page.<anonymous> src/main.ts',
        'Page src/main.ts',
        'wrap.<anonymous> node_modules/wrapper/index.js',
      ],
    ],
    [
      'a function by its declaration',
      'eachItem()',
      ['eachItem.<anonymous> src/main.ts', 'eachItem src/main.ts'],
    ],
    ['a function that throws after an await', 'buttons.onClick("a1")', ['onClick src/main.ts']],
  ])('names %s', async (_name, expression, expected) => {
    expect(await mapped(client, expression)).toEqual(expected);
  });

  it.each(['open()', 'buttons.plain()', 'Page({ items: 3 })', 'eachItem()', 'buttons.onClick("a1")'])(
    'maps %s to the same files and names in another build with different minified names',
    async (expression) => {
      const names = (await stackOf(client, expression)).map(({ name }) => name);
      const otherNames = (await stackOf(other, expression)).map(({ name }) => name);

      expect(other.code).not.toBe(client.code);
      expect(await mapped(other, expression)).toEqual(await mapped(client, expression));
      expect(otherNames).toHaveLength(names.length);
    },
  );

  it('returns line, column and up to eleven lines of the source', async () => {
    const maps = await ClientMaps.open(client.directory);
    const [thrown] = await stackOf(client, 'open()');

    const mapping = await new SourceMapper((id) => maps.load(id)).map(
      client.debugId,
      thrown?.line ?? 0,
      thrown?.column ?? 0,
    );

    expect(mapping).toMatchObject({ outcome: 'mapped', frame: { line: 5, column: 30, isOwn: true } });
    const source = mapping.outcome === 'mapped' ? mapping.frame.source : [];
    expect(source.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(source[4]?.text).toBe("    if (count < 0) throw new RangeError('negative');");
  });

  it('marks a frame of a library as not own', async () => {
    const maps = await ClientMaps.open(client.directory);
    const library = (await stackOf(client, 'Page({ items: 3 })')).at(-1);

    const mapping = await new SourceMapper((id) => maps.load(id)).map(
      client.debugId,
      library?.line ?? 0,
      library?.column ?? 0,
    );

    expect(mapping).toMatchObject({ frame: { file: 'node_modules/wrapper/index.js', isOwn: false } });
  });

  it('names no function without the script, because minified names change with every build', async () => {
    const map = await readFile(mapFileOf(client), 'utf8');
    const [thrown] = await stackOf(client, 'open()');

    const mapping = await new SourceMapper(() => Promise.resolve({ map, code: null })).map(
      'any',
      thrown?.line ?? 0,
      thrown?.column ?? 0,
    );

    expect(mapping).toMatchObject({ frame: { file: 'src/app/checkout.ts', line: 5, function: null } });
  });

  it.each([
    ['no_map', undefined, 1, 1],
    ['bad_map', { map: '{"version":3,"mappings":42}', code: null }, 1, 1],
    ['bad_map', { map: 'no JSON', code: null }, 1, 1],
    ['no_position', { map: '{"version":3,"sources":[],"names":[],"mappings":""}', code: '' }, 1, 1],
    [
      'no_position',
      { map: '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}', code: '' },
      0,
      -5,
    ],
  ])('returns the outcome %s', async (outcome, script, line, column) => {
    const mapper = new SourceMapper(() => Promise.resolve<BuiltScript | undefined>(script));

    expect(await mapper.map('id', line, column)).toEqual({ outcome });
  });

  it('caches parsed scripts until newer ones need the memory', async () => {
    const map = await readFile(mapFileOf(client), 'utf8');
    const loaded: string[] = [];
    const load = (id: string): Promise<BuiltScript> => {
      loaded.push(id);
      return Promise.resolve({ map, code: client.code });
    };
    const room = new SourceMapper(load);
    const tight = new SourceMapper(load, 1);

    for (const id of ['a', 'b', 'a', 'b']) await room.map(id, 1, 1);
    const withRoom = loaded.splice(0);
    for (const id of ['a', 'a', 'b', 'a']) await tight.map(id, 1, 1);

    expect(withRoom).toEqual(['a', 'b']);
    expect(loaded).toEqual(['a', 'b', 'a']);
  });

  it('keeps no script that it has begun to load before a new build', async () => {
    const map = await readFile(mapFileOf(client), 'utf8');
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const loaded: string[] = [];
    const mapper = new SourceMapper(async (id) => {
      loaded.push(id);
      begun.resolve();
      await end.promise;
      return { map, code: null };
    });

    const first = mapper.map('a', 1, 1);
    await begun.promise;
    mapper.clear();
    end.resolve();
    await first;
    await mapper.map('a', 1, 1);
    await mapper.map('a', 1, 1);

    expect(loaded).toEqual(['a', 'a']);
  });
});

function mapFileOf({ directory, scriptUrl }: BuiltClient): string {
  return `${directory}${new URL(scriptUrl).pathname}.map`;
}
