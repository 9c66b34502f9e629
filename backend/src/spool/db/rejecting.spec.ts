import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { NO_ROOM } from '../protocol/spool-messages.ts';
import { LIMITS } from '../spool.fixture.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, queuedIds, newRow, rowOf } from './spool-file.fixture.ts';

/** Above the size that the file may have with {@link LIMITS}. */
const RAISED_BYTES = 40 * 2 ** 20;

describe('what a spool refuses', () => {
  let directory: string;
  let file: SpoolFile;
  let freeBytes: number;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-rejecting-'));
    freeBytes = 1e9;
    file = new SpoolFile(directory, LIMITS, () => freeBytes);
  });

  afterEach(() => {
    file.close();
    rmSync(directory, { recursive: true });
  });

  /** Sends errors of 25 KiB until one is refused, and returns that commit. */
  function fill() {
    for (;;) {
      const committed = commit(file, { appends: [rowOf('event', 25_000)] });
      if (committed.ids[0] === NO_ROOM) return committed;
    }
  }

  it('is nothing while errors have room', () => {
    expect(commit(file, { appends: [newRow()] }).rejecting).toBeNull();
    expect(file.rejecting).toBeNull();
  });

  it('is all errors while the spool is full, until one is delivered', () => {
    const { rejecting } = fill();

    const [id = 0] = queuedIds(file);
    const { rejecting: afterwards } = commit(file, { delivered: [{ id, bits: UPSTREAM_BIT, digest: null }] });

    expect([rejecting, afterwards]).toEqual(['spool_full', null]);
  });

  it('is no error when only other data was refused', () => {
    const { ids, rejecting } = commit(file, { appends: [rowOf('replay_video', 1_100_000, { class: 4 })] });

    expect([ids, rejecting]).toEqual([[NO_ROOM], null]);
  });

  it('is all errors on a full disk, and nothing as soon as there is space, without a commit', () => {
    freeBytes = 0;
    file.close();
    rmSync(join(directory, 'spool.reserve'));
    file = new SpoolFile(directory, LIMITS, () => freeBytes);
    const { ids, rejecting } = commit(file, { appends: [newRow()] });
    freeBytes = 1e9;

    expect([ids, rejecting, file.rejecting]).toEqual([[NO_ROOM], 'disk_full', null]);
  });

  it('is nothing after the cap of a full spool was raised, up to the new cap', () => {
    const { rejecting } = fill();

    file.limit({ ...LIMITS, maxBytes: RAISED_BYTES });

    expect([rejecting, file.rejecting]).toEqual(['spool_full', null]);
    fill();
    expect(Math.round(file.counts().bytes / 2 ** 20)).toBe(RAISED_BYTES / 2 ** 20);
  });
});
