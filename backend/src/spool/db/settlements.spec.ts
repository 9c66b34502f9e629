import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  it('free no room that an eviction has freed', () => {
    const replays = Array.from({ length: 30 }, () => rowOf('replay_event', 10_000, { class: 4 }));
    commit(file, { appends: replays });

    const { freed } = commit(file, { appends: Array.from({ length: 90 }, () => rowOf('event', 10_000)) });

    expect(freed).toBe(0);
    expect(file.counts().ledger).toContainEqual({ fate: 'dropped', reason: 'queue_overflow', count: 30 });
  });
});
