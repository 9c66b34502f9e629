import { setImmediate } from 'node:timers/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import {
  DELIVERED,
  envelopeOf,
  eventEnvelope,
  eventIdOf,
  FAILED,
  RECEIVED_MS,
  serverEvent,
} from '../test/envelopes.fixture.ts';
import type { StoreOptions } from '../store.ts';
import { TestedStore } from '../test/tested-store.fixture.ts';
import { openSqlite } from '../db/sqlite/open-sqlite.ts';

const FRAMES = [{ filename: '/srv/errata/dist/a.js', function: 'a', lineno: 1, colno: 1, in_app: true }];

/** Returns a clock by which 50 ms pass from one look at it to the next. */
function clockOf50Ms(): () => number {
  let nowMs = RECEIVED_MS;
  return () => (nowMs += 50);
}

describe('ingest', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-ingest-'));
  const bug = new Error('a bug');
  let files = 0;
  afterAll(() => rmSync(directory, { recursive: true }));

  function open(options: Partial<StoreOptions> = {}): TestedStore {
    files += 1;
    return new TestedStore(openSqlite(join(directory, `${files}.db`), 1e9), {
      read: {
        maps: { mapper: new SourceMapper(() => Promise.resolve(undefined)), idsOf: () => [] },
        own: { root: '/srv/errata', mapper: new SourceMapper(() => Promise.reject(bug)) },
        spool: 1,
      },
      onFault: () => undefined,
      now: () => RECEIVED_MS,
      ...options,
    });
  }

  it('holds only the envelope of a batch that triggers a bug', async () => {
    const faults: unknown[] = [];
    const store = open({ onFault: (fault) => faults.push(fault) });
    const exception = { values: [{ type: 'Error', value: 'boom', stacktrace: { frames: FRAMES } }] };

    const settled = await store.ingest([
      eventEnvelope(serverEvent(1)),
      eventEnvelope(serverEvent(2, 'a/b', { exception }), { source: 'own' }),
      eventEnvelope(serverEvent(3)),
    ]);

    expect(settled).toEqual([DELIVERED, FAILED, DELIVERED]);
    expect((await store.ask('issue', eventIdOf(1)))?.events).toBe(2);
    expect(faults).toContainEqual(expect.objectContaining({ name: 'EventFault', cause: bug }));
    await store.close();
  });

  it('plans an event again when another batch confirms its issue meanwhile', async () => {
    const store = open();

    const settled = await Promise.all([
      store.ingest([eventEnvelope(serverEvent(1), { source: 'server' })]),
      store.ingest([eventEnvelope(serverEvent(2))]),
    ]);

    expect(settled).toEqual([[DELIVERED], [DELIVERED]]);
    expect(await store.ask('issue', eventIdOf(1))).toMatchObject({ isConfirmed: true, events: 1 });
    expect(await store.ask('issue', eventIdOf(2))).toMatchObject({ isConfirmed: false, events: 1 });
    await store.close();
  });

  it('does not count the events of a failed batch as stored in full', async () => {
    const store = open();
    const exception = { values: [{ type: 'Error', value: 'boom', stacktrace: { frames: FRAMES } }] };
    const numbers = Array.from({ length: 60 }, (_, index) => index + 1);

    await store.ingest([
      ...numbers.map((number) => eventEnvelope(serverEvent(number))),
      eventEnvelope(serverEvent(61, 'a/b', { exception }), { source: 'own' }),
    ]);

    const events = await Promise.all(numbers.map((number) => store.ask('event', eventIdOf(number))));
    expect(events.filter((event) => event?.brief === true)).toEqual([]);
    await store.close();
  });

  it('answers reads after each envelope that is read and each event that is encoded for 50 ms', async () => {
    const store = open({ now: clockOf50Ms() });
    await store.ask('storedEvents');
    const answers: number[] = [];
    let isStored = false;
    const reads = async (): Promise<void> => {
      await setImmediate();
      answers.push(await store.ask('storedEvents'));
      if (!isStored) await reads();
    };

    const read = reads();
    const settled = await store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(serverEvent(2))]);
    isStored = true;
    await read;

    expect(settled).toEqual([DELIVERED, DELIVERED]);
    expect(answers).toEqual([0, 0, 0, 0, 2]);
    await store.close();
  });

  it('stores a batch whose events are too many for one statement', async () => {
    const faults: unknown[] = [];
    const store = open({ onFault: (fault) => faults.push(fault) });
    const manyEvents = (first: number) =>
      Array.from({ length: 1_000 }, (_, index) => ({
        type: 'event',
        payload: { event_id: eventIdOf(first + index) },
      }));
    // A list of ids has a power of two as its length: 32,768, and SQLite accepts 32,766.
    const batch = Array.from({ length: 17 }, (_, index) => envelopeOf(manyEvents(1_000 * index)));

    const settled = await store.ingest(batch);

    expect(faults).toEqual([]);
    expect(settled).toEqual(batch.map(() => DELIVERED));
    expect(await store.ask('storedEvents')).toBe(17_000);
    await store.close();
  });

  it('stores a batch under way before it closes', async () => {
    const store = open({ now: clockOf50Ms() });
    await store.ask('storedEvents');

    const ingested = store.ingest([eventEnvelope(serverEvent(1)), eventEnvelope(serverEvent(2))]);
    await store.close();

    expect(await ingested).toEqual([DELIVERED, DELIVERED]);
  });

  it('stores an event of eight levels of JSON in JSON, truncated, and finds it by its id', async () => {
    const store = open();
    const body = ['8', '7', '6', '5', '4', '3', '2', '1'].reduce(
      (inner, level) => JSON.stringify({ [`level${level}`]: inner }),
      'core',
    );

    const settled = await store.ingest([eventEnvelope(serverEvent(1, 'a/b', { extra: { body } }))]);

    expect(settled).toEqual([DELIVERED]);
    const event = JSON.stringify(await store.ask('event', eventIdOf(1)));
    expect(event).toContain('level2');
    expect(event).toContain('[Truncated]');
    expect(event).not.toContain('level4');
    await store.close();
  });
});
