import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BuiltClient,
  buildClient,
  removeClient,
  type StackCall,
  stackOf,
} from '../../sourcemap/built-client.fixture.ts';
import { ClientMaps } from '../../sourcemap/client-maps.ts';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import { browserEvent, type EventBody, eventEnvelope, eventIdOf } from '../test/envelopes.fixture.ts';
import { openSqlite } from '../db/sqlite/open-sqlite.ts';
import { StoresUnderTest } from '../test/store-under-test.fixture.ts';
import type { EventMapper } from './map-event.ts';

async function mapsOf(client: BuiltClient): Promise<EventMapper> {
  const maps = await ClientMaps.open(client.directory);
  return {
    mapper: new SourceMapper((id) => maps.load(id)),
    idsOf: ({ url, debugId }) => [maps.idOfUrl(url), debugId ?? undefined].filter((id) => id !== undefined),
  };
}

/** What the SDK makes of a stack. */
function eventOf(
  number: number,
  filename: string,
  calls: readonly StackCall[],
  changes: EventBody = {},
): EventBody {
  const frames = calls
    .map(({ name, line, column }) => ({
      filename,
      function: name ?? '?',
      lineno: line,
      colno: column,
      in_app: true,
    }))
    .toReversed();
  return browserEvent(number, {
    exception: { values: [{ type: 'RangeError', value: 'negative', stacktrace: { frames } }] },
    ...changes,
  });
}

describe('a browser’s event', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-map-event-'));
  let files = 0;
  const stores = new StoresUnderTest(() => {
    files += 1;
    const file = join(directory, `${files}.db`);
    return Promise.resolve(() => openSqlite(file, 1e9));
  });
  let before: BuiltClient;
  let after: BuiltClient;
  beforeAll(async () => {
    before = await buildClient();
    after = await buildClient({
      ahead: '// Line.\nexport const added = () => Math.random() + Date.now();\n',
    });
  });
  afterEach(() => stores.close());
  afterAll(async () => {
    await Promise.all([before, after].map(removeClient));
    rmSync(directory, { recursive: true });
  });

  it('shows the source it failed in', async () => {
    const store = await stores.open(await mapsOf(before));

    await store.ingest([eventEnvelope(eventOf(1, before.scriptUrl, await stackOf(before, 'open()')))]);

    const event = await store.ask('event', eventIdOf(1));
    const [thrown, caller] = event?.exceptions[0]?.frames ?? [];
    expect(event?.unmapped).toBeNull();
    expect(thrown).toMatchObject({
      file: 'src/app/checkout.ts',
      function: 'Cart',
      line: 5,
      own: true,
      mapped: true,
    });
    expect(thrown?.source.find(({ number }) => number === 5)?.text).toContain('new RangeError');
    expect(caller).toMatchObject({ function: 'checkout', mapped: true });
  });

  it('is of the same issue after a deploy that renamed and moved everything', async () => {
    const earlier = await stores.open(await mapsOf(before));
    const later = await stores.open(await mapsOf(after));

    await earlier.ingest([eventEnvelope(eventOf(1, before.scriptUrl, await stackOf(before, 'open()')))]);
    await later.ingest([eventEnvelope(eventOf(2, after.scriptUrl, await stackOf(after, 'open()')))]);

    const { issues } = await later.ask('issues', 10, null);
    expect(issues.map(({ events }) => events)).toEqual([2]);
  });

  it('finds its map by the debug id where the script has another address', async () => {
    const store = await stores.open(await mapsOf(before));
    const url = 'https://cdn.example/other-name.js';
    const images = [{ type: 'sourcemap', code_file: url, debug_id: before.debugId }];
    const body = eventOf(1, url, await stackOf(before, 'open()'), { debug_meta: { images } });

    await store.ingest([eventEnvelope(body)]);

    expect((await store.ask('event', eventIdOf(1)))?.exceptions[0]?.frames[0]).toMatchObject({
      function: 'Cart',
    });
  });

  it('has the digest of its own frames, with any other scripts in its stack', async () => {
    const store = await stores.open(await mapsOf(before));
    const calls = await stackOf(before, 'open()');
    const alone = eventOf(1, before.scriptUrl, calls) as {
      exception: { values: { stacktrace: { frames: [] } }[] };
    };
    const among = structuredClone(eventOf(2, before.scriptUrl, calls)) as typeof alone;
    const foreign = {
      filename: 'https://ads.example/t-123.js',
      function: 'a',
      lineno: 1,
      colno: 2,
      mapped: true,
    };
    among.exception.values[0]?.stacktrace.frames.unshift(foreign as never);

    await store.ingest([eventEnvelope({ ...alone }), eventEnvelope({ ...among })]);

    expect((await store.ask('issue', eventIdOf(1)))?.events).toBe(2);
    const frames = (await store.ask('event', eventIdOf(2)))?.exceptions[0]?.frames;
    expect(frames?.at(-1)).toMatchObject({ file: 'https://ads.example/t-123.js', mapped: false });
  });
});
