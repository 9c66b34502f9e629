import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_SENDER, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { LIMITS } from '../spool.fixture.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, newRow, queued, queuedIds, rowOf } from './spool-file.fixture.ts';
import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';

const OTHER_PROJECT = 'https://key@other.invalid/1';

/** A row that no table accepts: SQLite stores NaN as null. */
const BROKEN = newRow({ receivedAtMs: Number.NaN });

/** Returns rows of 10 KB: some 90 fill the spool. */
function rows(count: number, type: string, envelopeClass: 0 | 4): readonly EnvelopeRow[] {
  return Array.from({ length: count }, () => rowOf(type, 10_000, { class: envelopeClass }));
}

describe('a transaction that fails', () => {
  let directory: string;
  let file: SpoolFile;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-transaction-'));
    file = new SpoolFile(directory, LIMITS);
  });

  afterEach(() => {
    file.close();
    rmSync(directory, { recursive: true });
  });

  function fail(...appends: readonly EnvelopeRow[]): void {
    expect(() => commit(file, { appends: [...appends, BROKEN] })).toThrow('NOT NULL');
  }

  function reopen(): void {
    file.close();
    file = new SpoolFile(directory, LIMITS);
  }

  it('counts nothing and uses no room', () => {
    commit(file, { appends: [newRow()] });
    const before = file.counts();

    fail(rowOf('event', 10_000));
    commit(file, {});

    expect(file.counts()).toEqual(before);
  });

  it('uses no id', () => {
    fail(newRow());

    expect(commit(file, { appends: [newRow()] }).ids).toEqual([1]);
    reopen();
    expect(file.opened).toMatchObject({ lastId: 1, lost: 0 });
  });

  it('makes no later envelope a repeat', () => {
    const row = newRow();
    fail(row);

    expect(commit(file, { appends: [row] }).ids).toEqual([1]);
  });

  it('frees no room, and counts it once when it is tried again', () => {
    const { ids } = commit(file, { appends: [newRow()] });
    const delivered = ids.map((id) => ({ id, bits: UPSTREAM_BIT, digest: null }));
    expect(() => commit(file, { delivered, appends: [BROKEN] })).toThrow('NOT NULL');

    const freed = [{}, { delivered }, { delivered }].map((work) => commit(file, work).freed);

    expect(freed).toEqual([0, 1, 0]);
  });

  it('leaves the number of a new project to the next one', () => {
    fail(newRow({ project: OTHER_PROJECT }));

    commit(file, { appends: [newRow({ project: OTHER_PROJECT })] });
    reopen();

    expect(queued(file).map(({ project }) => project)).toEqual([OTHER_PROJECT]);
  });

  it('leaves evicted envelopes for the next eviction', () => {
    const { ids } = commit(file, { appends: rows(30, 'replay_event', 4) });
    fail(...rows(90, 'event', 0));

    commit(file, { appends: rows(90, 'event', 0) });

    expect(queuedIds(file).filter((id) => ids.includes(id))).toEqual([]);
  });

  it('leaves the number of a new project to the next one when only a step fails', () => {
    const toJSON = (): never => {
      throw new Error('a bug');
    };
    const body = new Uint8Array();
    const malformed = {
      project: OTHER_PROJECT,
      receivedAtMs: 1,
      sender: { ...NO_SENDER, toJSON },
      body,
      detail: '',
    };

    const { faults } = commit(file, { malformed: [malformed] });
    commit(file, { appends: [newRow({ project: OTHER_PROJECT })] });
    reopen();

    expect(faults).toEqual(['a bug']);
    expect(queued(file).map(({ project }) => project)).toEqual([OTHER_PROJECT]);
  });
});
