import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '../spool.fixture.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, newRow } from './spool-file.fixture.ts';

/** Ids that the spool of each test has assigned. */
const ASSIGNED = 3;

describe('the watermark', () => {
  let directory: string;
  let path: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-watermark-'));
    path = join(directory, 'spool.watermark');
    const file = new SpoolFile(directory, LIMITS);
    commit(file, { appends: Array.from({ length: ASSIGNED }, () => newRow()) });
    file.close();
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  /** Opens the spool and appends an envelope. Returns the number of lost ones that it reports, and the id. */
  function opened(): { readonly lost: number | null; readonly next: number | undefined } {
    const file = new SpoolFile(directory, LIMITS);
    const { ids } = commit(file, { appends: [newRow()] });
    file.close();
    return { lost: file.opened.lost, next: ids[0] };
  }

  /** Writes the number as versions without a checksum did. */
  function writeOld(id: bigint): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(id);
    writeFileSync(path, bytes);
  }

  it.each([0, 20, 33, 62, 64, 127])(
    'is not believed with bit %d flipped, and is right again after a commit',
    (bit) => {
      const bytes = readFileSync(path);
      const at = Math.floor(bit / 8);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
      writeFileSync(path, bytes);

      expect([opened(), opened()]).toEqual([
        { lost: null, next: ASSIGNED + 1 },
        { lost: 0, next: ASSIGNED + 2 },
      ]);
    },
  );

  it('is not believed when its checksum is cut off in part', () => {
    writeFileSync(path, readFileSync(path).subarray(0, 11));

    expect(opened()).toEqual({ lost: null, next: ASSIGNED + 1 });
  });

  it.each([
    ['a loss', 5n, { lost: 5, next: ASSIGNED + 6 }],
    ['the largest loss', 2n ** 32n, { lost: 2 ** 32, next: ASSIGNED + 2 ** 32 + 1 }],
    ['more than was ever sent', 2n ** 32n + 1n, { lost: null, next: ASSIGNED + 1 }],
    ['a wrong high bit', 2n ** 62n, { lost: null, next: ASSIGNED + 1 }],
  ])('without a checksum is read by its size: %s', (_, above, outcome) => {
    writeOld(BigInt(ASSIGNED) + above);

    expect(opened()).toEqual(outcome);
  });
});
