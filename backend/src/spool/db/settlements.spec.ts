import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { LIMITS } from '../spool.fixture.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, newRow, refusal, rowOf } from './spool-file.fixture.ts';

const BOTH = { pending: UPSTREAM_BIT | STORE_BIT };

describe('Settlements', () => {
  let directory: string;
  let file: SpoolFile;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-settlements-'));
    file = new SpoolFile(directory, LIMITS);
  });

  afterEach(() => {
    file.close();
    rmSync(directory, { recursive: true });
  });

  /** Reads the envelopes, which only the process that has the spool open may do. */
  function stored() {
    file.close();
    const database = new DatabaseSync(join(directory, 'spool.db'));
    const rows = database.prepare('SELECT pending, fate, reason, digest FROM envelope').all();
    database.close();
    file = new SpoolFile(directory, LIMITS);
    return rows.map((row) => ({ ...row }));
  }

  it('free the room of an envelope that its last sink has settled', () => {
    const { ids } = commit(file, { appends: [newRow(), newRow(), newRow(BOTH)] });
    const [one = 0, two = 0, three = 0] = ids;

    const freed = [
      { delivered: [{ id: one, bits: UPSTREAM_BIT, digest: null }], settled: [refusal(two)] },
      { delivered: [{ id: three, bits: UPSTREAM_BIT, digest: null }], unwanted: 3 },
      { delivered: [{ id: three, bits: STORE_BIT, digest: null }] },
    ].map((work) => commit(file, work).freed);

    expect(freed).toEqual([2, 0, 1]);
  });

  it.each([
    ['the store first', STORE_BIT, 'a digest', null],
    ['the upstream first', UPSTREAM_BIT, null, null],
  ])('keep what a sink has reported when it comes twice: %s', (_, bits, digest, repeated) => {
    const [id = 0] = commit(file, { appends: [newRow(BOTH)] }).ids;
    commit(file, { delivered: [{ id, bits, digest }] });
    const before = file.counts();
    const row = stored();

    commit(file, { delivered: [{ id, bits, digest: repeated }] });

    expect(row).toEqual([{ pending: BOTH.pending & ~bits, fate: 0, reason: '', digest }]);
    expect(file.counts()).toEqual(before);
    expect(stored()).toEqual(row);
  });

  it.each([
    ['refused before', ['refused', 'delivered']],
    ['refused after', ['delivered', 'refused']],
  ] as const)('count an envelope that one sink accepts once, as the worst: %s', (_, order) => {
    const [id = 0] = commit(file, { appends: [newRow(BOTH)] }).ids;
    const work = {
      refused: { settled: [refusal(id)] },
      delivered: { delivered: [{ id, bits: STORE_BIT, digest: 'a digest' }] },
    };

    for (const sink of [...order, ...order]) commit(file, work[sink]);

    expect(file.counts()).toMatchObject({
      queued: 0,
      ledger: [
        { fate: 'accepted', count: 1 },
        { fate: 'dead_lettered', reason: 'send_error', count: 1 },
      ],
    });
  });

  it('free no room that an eviction has freed', () => {
    const replays = Array.from({ length: 30 }, () => rowOf('replay_event', 10_000, { class: 4 }));
    commit(file, { appends: replays });

    const { freed } = commit(file, { appends: Array.from({ length: 90 }, () => rowOf('event', 10_000)) });

    expect(freed).toBe(0);
    expect(file.counts().ledger).toContainEqual({ fate: 'dropped', reason: 'queue_overflow', count: 30 });
  });
});
