import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '../spool.fixture.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, newRow, queuedIds } from './spool-file.fixture.ts';

const COMMITS = 20;
const LOG = 'spool.db-wal';

/** Copies the files of a spool that is open: what a process leaves that is killed now. */
function copyOf(directory: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'errata-killed-'));
  for (const name of ['spool.db', LOG, 'spool.watermark'])
    copyFileSync(join(directory, name), join(copy, name));
  return copy;
}

describe('the log of a process that was killed', () => {
  let directory: string;
  let copy: string;
  let ids: readonly number[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-log-'));
    const file = new SpoolFile(directory, LIMITS);
    ids = Array.from({ length: COMMITS }, () => commit(file, { appends: [newRow()] }).ids[0] ?? 0);
    copy = copyOf(directory);
    file.close();
  });

  afterEach(() => {
    for (const folder of [directory, copy]) rmSync(folder, { recursive: true });
  });

  /** Opens the copy. Returns the number of envelopes that it reports as lost, and the IDs of the others. */
  function opened(): { readonly lost: number; readonly left: readonly number[] } {
    const file = new SpoolFile(copy, LIMITS);
    const left = queuedIds(file);
    file.close();
    return { lost: file.opened.lost ?? NaN, left };
  }

  it('has all that was committed', () => {
    expect(opened()).toEqual({ lost: 0, left: ids });
  });

  it.each([
    ['a bit of it flips', (log: Buffer, half: number) => log.fill((log[half] ?? 0) ^ 1, half, half + 1)],
    ['its second half is cut off', (log: Buffer, half: number) => log.subarray(0, half)],
  ])('loses the commits behind the damage when %s, and exactly these are reported', (_, damaged) => {
    const log = readFileSync(join(copy, LOG));
    writeFileSync(join(copy, LOG), damaged(log, Math.floor(log.length / 2)));

    const { lost, left } = opened();

    expect(left).toEqual(ids.slice(0, COMMITS - lost));
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(COMMITS);
  });
});
