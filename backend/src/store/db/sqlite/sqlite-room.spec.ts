import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DELIVERED, eventEnvelope, serverEvent, UNREACHABLE } from '../../test/envelopes.fixture.ts';
import { StoresUnderTest } from '../../test/store-under-test.fixture.ts';
import { openSqlite } from './open-sqlite.ts';

const MIB = 2 ** 20;
/** What the store leaves to the spool. */
const FLOOR = 24 * MIB;
/** Bytes of {@link newError}. */
const ERROR_BYTES = 0.7 * MIB;

let number = 0;

function newError() {
  number += 1;
  return eventEnvelope(serverEvent(number, 'room', { extra: { padding: 'x'.repeat(ERROR_BYTES) } }));
}

describe('a store on a disk that is nearly full', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-room-'));
  const file = join(directory, 'store.db');
  let freeBytes = 0;
  const stores = new StoresUnderTest(() =>
    Promise.resolve(() => openSqlite(file, 1e9, { freeBytes: () => freeBytes })),
  );

  afterEach(() => stores.close());
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    ['nothing at the floor', FLOOR, 1, [UNREACHABLE]],
    ['an error while three times its size is free', FLOOR + 2.2 * MIB, 1, [DELIVERED]],
    ['nothing while twice its size is free', FLOOR + 1.5 * MIB, 1, [UNREACHABLE]],
    ['two errors one by one', FLOOR + 2.2 * MIB, 2, [DELIVERED, DELIVERED]],
    ['a batch that needs more than is free', 64 * MIB, 20, Array.from({ length: 20 }, () => DELIVERED)],
  ])('stores %s', async (_name, free, errors, expected) => {
    freeBytes = free;
    const store = await stores.open();

    const settlements = await store.ingest(Array.from({ length: errors }, newError));

    expect(settlements).toEqual(expected);
  });

  it.each([
    ['empties its log after a batch', 64 * MIB - 1, true],
    ['keeps its log while there is space', 64 * MIB, false],
  ])('%s', async (_name, free, isEmpty) => {
    freeBytes = free;
    const store = await stores.open();

    await store.ingest([newError()]);

    expect(statSync(`${file}-wal`).size === 0).toBe(isEmpty);
  });
});
