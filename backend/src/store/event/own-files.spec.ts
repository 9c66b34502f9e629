import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import { eventEnvelope, serverEvent } from '../test/envelopes.fixture.ts';
import { packForStore, unpackForStore } from './store-envelope.ts';
import { decodeStoredEvent } from './stored-event.ts';
import type { Fields } from '../../digest/fields.ts';
import { encodeEvent } from '../ingest/encode-event.ts';
import { ownApplication, withOwnFiles } from './own-files.ts';
import { readEnvelope } from '../ingest/read-envelope.ts';

const SOURCE = 'interface Order {}\n\nthrow new Error("declined");\nconst after = 1;\n';
/** Line 4 of the script is line 3 of the source. */
const MAP = JSON.stringify({
  version: 3,
  sources: ['../../src/errors/demo.ts'],
  sourcesContent: [SOURCE],
  names: [],
  mappings: ';;;AAEA',
});
const NO_MAPS = { mapper: new SourceMapper(() => Promise.resolve(undefined)), idsOf: () => [] };

function eventWith(frame: Fields): Fields {
  return { exception: { values: [{ type: 'Error', value: 'declined', stacktrace: { frames: [frame] } }] } };
}

describe('an event of Errata’s own process', () => {
  let folder: string;
  let root: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'errata-own-files-'));
    root = join(folder, 'app');
    for (const file of [
      'app/backend/dist/errors/demo.js.map',
      'app/node_modules/library/index.js.map',
      'outside/demo.js.map',
    ]) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), MAP);
    }
    await symlink(join(folder, 'outside/demo.js.map'), join(root, 'backend/dist/linked.js.map'));
    await symlink(join(folder, 'outside'), join(root, 'backend/dist/linked'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  function frameOf(filename: string, changes: Fields = {}): Fields {
    return { filename, function: 'Demo.fail', lineno: 4, colno: 7, in_app: true, ...changes };
  }

  async function read(source: 'own' | 'tunnel', own = ownApplication(root)) {
    const event = { ...serverEvent(1), ...eventWith(frameOf(join(root, 'backend/dist/errors/demo.js'))) };
    const [envelope] = unpackForStore(packForStore([eventEnvelope(event, { source })]));
    if (envelope === undefined) throw new Error('no envelope was packed');
    const options = { maps: NO_MAPS, own, spool: 1 };
    const [found] = (await readEnvelope(envelope, options)).events;
    if (found === undefined) throw new Error('no event was read');
    const { digest } = found;
    const planned = { read: found, projectId: 1, digest, issueKey: digest.key, isFull: true };
    return encodeEvent(planned, options);
  }

  it('shows its compiled files as the TypeScript they were, and its functions as V8 named them', async () => {
    const event = eventWith(
      frameOf(join(root, 'backend/dist/errors/demo.js'), { context_line: 'throw Error("declined");' }),
    );

    const shown = await withOwnFiles(event, ownApplication(root));

    expect(shown).toMatchObject(
      eventWith({
        filename: 'backend/src/errors/demo.ts',
        function: 'Demo.fail',
        lineno: 3,
        colno: 1,
        in_app: true,
        pre_context: ['interface Order {}', ''],
        context_line: 'throw new Error("declined");',
        post_context: ['const after = 1;', ''],
        mapped: true,
        abs_path: 'backend/dist/errors/demo.js',
      }),
    );
  });

  it.each([
    ['is TypeScript already', 'backend/src/errors/demo.ts'],
    ['has no map', 'backend/dist/errors/other.js'],
    ['is a library’s', 'node_modules/library/index.js'],
    ['leads out of the application', '../outside/demo.js'],
    ['goes astray within it', 'backend/src/../dist/errors/demo.js'],
    ['has a map that is a link', 'backend/dist/linked.js'],
    ['lies in a folder that is a link', 'backend/dist/linked/demo.js'],
    ['is no file’s', 'backend/dist/\0.js'],
  ])('only has its name made relative in a frame that %s', async (_name, file) => {
    const frame = frameOf(`${root}/${file}`);

    const shown = await withOwnFiles(eventWith(frame), ownApplication(root));

    expect(shown).toEqual(eventWith({ ...frame, filename: file }));
  });

  it('leaves what lies outside of the application', async () => {
    const event = eventWith(frameOf(join(folder, 'outside/demo.js')));

    expect(await withOwnFiles(event, ownApplication(root))).toEqual(event);
  });

  it('has the same digest with maps as without', async () => {
    const withMaps = await read('own');
    const without = await read('own', { root, mapper: NO_MAPS.mapper });

    expect(decodeStoredEvent(withMaps.payload)).not.toEqual(decodeStoredEvent(without.payload));
    expect(withMaps.digestKey).toBe(without.digestKey);
  });

  it('has no file read because a stranger named it', async () => {
    const asked: string[] = [];
    const mapper = new SourceMapper((path) => {
      asked.push(path);
      return Promise.resolve(undefined);
    });

    await read('own', { root, mapper });
    const askedForOwn = asked.splice(0);
    await read('tunnel', { root, mapper });

    expect(askedForOwn).toEqual(['backend/dist/errors/demo.js']);
    expect(asked).toEqual([]);
  });
});
