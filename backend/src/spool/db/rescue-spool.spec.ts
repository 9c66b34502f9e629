import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { balanceOf } from '../../outcome/balance.ts';
import { zeroLeaf } from '../../sqlite/damage.fixture.ts';
import type { MovedFile } from '../../sqlite/rescue-file.ts';
import {
  fates,
  LIMITS,
  newEnvelope,
  openSpool,
  queued as queuedIn,
  settledCounts,
} from '../spool.fixture.ts';
import { startSpoolWorker } from '../spool-thread.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, newRow, queued, queuedIds } from './spool-file.fixture.ts';

const HELD = 400;

describe('a damaged file of the spool', () => {
  let directory: string;
  let path: string;
  let file: SpoolFile | undefined;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-rescue-'));
    path = join(directory, 'spool.db');
    file = undefined;
  });

  afterEach(() => {
    file?.close();
    rmSync(directory, { recursive: true });
  });

  /** Makes a file with held envelopes, of which as many were delivered before. */
  function hold(): void {
    const first = new SpoolFile(directory, LIMITS);
    const { ids } = commit(first, { appends: Array.from({ length: 2 * HELD }, () => newRow()) });
    commit(first, { delivered: ids.slice(HELD).map((id) => ({ id, bits: 3, digest: null })) });
    first.close();
  }

  /** Opens the file as the thread after one that met the damage. */
  function reopened(isDamaged = true): SpoolFile {
    file = new SpoolFile(directory, LIMITS, undefined, isDamaged);
    return file;
  }

  function balance(): ReturnType<typeof balanceOf> {
    const { ledger, queued: held } = (file ?? reopened()).counts();
    return balanceOf(ledger, held);
  }

  it('ends one thread when a claim meets it, and has all but the rows of the page after that', async () => {
    const deaths: Error[] = [];
    const lost: (number | null)[] = [];
    const replaced = Promise.withResolvers<MovedFile>();
    const first = await openSpool(directory);
    await Promise.all(Array.from({ length: HELD }, (_, at) => first.append(newEnvelope(`number ${at}`))));
    await first.close();
    const rows = zeroLeaf(path, 'body');
    const second = await openSpool(
      directory,
      {},
      {
        onThreadDeath: (cause) => deaths.push(cause),
        onLost: (envelopes) => lost.push(envelopes),
        onMovedAside: replaced.resolve,
      },
      startSpoolWorker,
    );

    await expect(queuedIn(second)).rejects.toThrow('malformed');
    const { incomplete, problem } = await replaced.promise;
    const left = await queuedIn(second);
    const counts = await settledCounts(second);
    await second.close();

    expect([deaths.length, lost, problem]).toEqual([1, [rows], null]);
    expect(incomplete).toMatchObject([{ name: 'body', rows: HELD - rows }]);
    expect(left.length).toBe(HELD - rows);
    expect(fates(counts)).toMatchObject({ accepted: HELD, dead_lettered: rows });
  });

  it('is replaced at the opening that meets it, and not at the next one', () => {
    hold();
    const { identity } = reopened(false).opened;
    file?.close();
    const rows = zeroLeaf(path, 'envelope');

    const { opened } = reopened(false);
    const ids = queuedIds(reopenedAgain());

    expect([opened.lost, opened.lastId]).toEqual([rows, 2 * HELD]);
    expect(opened.identity).not.toBe(identity);
    expect(file?.opened).toMatchObject({ moved: null, lost: 0, identity: opened.identity });
    expect(ids.length).toBe(HELD - rows);
    expect(balance()).toMatchObject({ accepted: 2 * HELD, delivered: HELD, deadLettered: rows, missing: 0 });
  });

  function reopenedAgain(): SpoolFile {
    file?.close();
    return reopened(false);
  }

  it('keeps its identity where nothing is lost', () => {
    hold();
    const { identity } = reopened(false).opened;
    file?.close();
    zeroLeaf(path, 'repeat');

    const { opened } = reopened();

    expect(opened).toMatchObject({ identity, lost: 0, moved: { incomplete: [], problem: null } });
    expect(queued(reopenedAgain()).length).toBe(HELD);
  });

  it.each([
    ['ledger', { lost: 0 }, { accepted: HELD, delivered: 0, deadLettered: 0 }],
    ['sequence', { lost: 0 }, { accepted: 2 * HELD, delivered: HELD, deadLettered: 0 }],
  ])('balances without its %s', (table, opened, balanced) => {
    hold();
    zeroLeaf(path, table);

    expect(reopened().opened).toMatchObject({ ...opened, lastId: 2 * HELD });
    expect(balance()).toMatchObject({ ...balanced, queued: HELD, missing: 0 });
  });

  it('counts a loss once where the sequence is lost, too', () => {
    hold();
    zeroLeaf(path, 'sequence');
    const rows = zeroLeaf(path, 'body');

    expect(reopened().opened).toMatchObject({ lost: rows, lastId: 2 * HELD });
    expect(balance()).toMatchObject({ deadLettered: rows, missing: 0 });
  });

  it('counts all that it ever accepted as lost without ledger and sequence', () => {
    hold();
    for (const table of ['ledger', 'sequence']) zeroLeaf(path, table);

    expect(reopened().opened).toMatchObject({ lost: 2 * HELD, lastId: 2 * HELD });
    expect(balance()).toMatchObject({ accepted: HELD, queued: HELD, missing: 0 });
  });

  it('gives no id of a held envelope again without ledger, sequence and watermark', () => {
    hold();
    rmSync(join(directory, 'spool.watermark'));
    for (const table of ['ledger', 'sequence']) zeroLeaf(path, table);

    expect(commit(reopened(), { appends: [newRow()] }).ids).toEqual([HELD + 1]);
  });
});
