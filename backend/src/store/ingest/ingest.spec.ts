import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceMapper } from '../../sourcemap/source-mapper.ts';
import {
  DELIVERED,
  eventEnvelope,
  eventIdOf,
  FAILED,
  RECEIVED_MS,
  serverEvent,
} from '../test/envelopes.fixture.ts';
import { SqlEventStore } from '../sql-event-store.ts';
import { openSqlite } from '../db/sqlite/open-sqlite.ts';

const FRAMES = [{ filename: '/srv/errata/dist/a.js', function: 'a', lineno: 1, colno: 1, in_app: true }];

describe('ingest', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-ingest-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('holds only the envelope of a batch that triggers a bug', async () => {
    const faults: unknown[] = [];
    const bug = new Error('a bug');
    const store = new SqlEventStore(openSqlite(join(directory, 'store.db'), 1e9), {
      read: {
        maps: { mapper: new SourceMapper(() => Promise.resolve(undefined)), idsOf: () => [] },
        own: { root: '/srv/errata', mapper: new SourceMapper(() => Promise.reject(bug)) },
        spool: null,
      },
      onFault: (fault) => faults.push(fault),
      now: () => RECEIVED_MS,
    });
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
});
