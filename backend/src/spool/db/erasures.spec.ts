import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { balanceOf } from '../../outcome/balance.ts';
import { LIMITS } from '../spool.fixture.ts';
import type { ErasureScan } from '../protocol/spool-messages.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, queuedIds, newRow, refusal } from './spool-file.fixture.ts';

const NOW_MS = Date.UTC(2026, 10, 21);
const SECRET = 'person-to-forget';

describe('erasures', () => {
  let directory: string;
  let file: SpoolFile;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-file-'));
    file = new SpoolFile(directory, { ...LIMITS, maxBytes: 2 ** 24 });
  });

  afterEach(() => {
    file.close();
    rmSync(directory, { recursive: true });
  });

  function append(count: number, receivedAtMs: number, bytes = 100): readonly number[] {
    const appends = Array.from({ length: count }, () => {
      const text = `{"type":"event"}\n{"user":"${SECRET}","n":${Math.random()},"x":"${'x'.repeat(bytes)}"}`;
      return newRow({ stored: Buffer.from(text), receivedAtMs });
    });
    return commit(file, { appends }).ids;
  }

  function scanned(from: ErasureScan['from'], beforeMs: number): readonly (readonly number[])[] {
    const scans: (readonly number[])[] = [];
    for (let afterId: number | null = 0; afterId !== null;) {
      const { bodies, next } = file.erasures.scan({ from, afterId, beforeMs });
      scans.push(bodies.map(({ id }) => id));
      afterId = next;
    }
    return scans;
  }

  function isInFiles(): boolean {
    return readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes(SECRET));
  }

  it('scans all envelopes received before a time, in pieces', () => {
    const before = append(450, NOW_MS - 1);
    append(5, NOW_MS);

    const scans = scanned('queued', NOW_MS);

    expect(scans.map((ids) => ids.length)).toEqual([200, 200, 50]);
    expect(scans.flat()).toEqual(before);
  });

  it('makes the pieces smaller if envelopes are large', () => {
    append(5, NOW_MS - 1, 400_000);

    expect(scanned('queued', NOW_MS).map((ids) => ids.length)).toEqual([3, 2]);
  });

  it('removes envelopes and dead letters, and counts each once', () => {
    const [first = 0, second = 0, third = 0] = append(3, NOW_MS - 1);
    commit(file, { settled: [refusal(third)] });

    const queued = file.erase({ from: 'queued', ids: [first, first, 999] });
    const dead = file.erase({ from: 'dead', ids: [...scanned('dead', NOW_MS).flat(), 999] });

    expect([queued, dead]).toEqual([[first], [1]]);
    expect(queuedIds(file)).toEqual([second]);
    const counts = file.counts();
    expect(counts.deadLetters).toBe(0);
    expect(balanceOf(counts.ledger, counts.queued)).toMatchObject({
      accepted: 3,
      erased: 1,
      deadLettered: 1,
      queued: 1,
      missing: 0,
    });
  });

  it('ignores settlements of erased envelopes', () => {
    const [id = 0] = append(1, NOW_MS - 1);
    file.erase({ from: 'queued', ids: [id] });

    commit(file, { delivered: [{ id, bits: 1, digest: null }], settled: [refusal(id)] });

    const counts = file.counts();
    expect(balanceOf(counts.ledger, counts.queued)).toMatchObject({ erased: 1, delivered: 0, missing: 0 });
    expect(counts.deadLetters).toBe(0);
  });

  it('leaves neither erased nor delivered bytes in the raw files', () => {
    const delivered = append(40, NOW_MS - 1, 2_000);
    commit(file, { delivered: delivered.map((id) => ({ id, bits: 1, digest: null })) });
    const refused = append(4, NOW_MS - 1, 9_000);
    commit(file, { settled: refused.map(refusal) });
    append(100, NOW_MS - 1, 3_000);
    const isThereBefore = isInFiles();

    for (const ids of scanned('queued', NOW_MS)) file.erase({ from: 'queued', ids });
    for (const ids of scanned('dead', NOW_MS)) file.erase({ from: 'dead', ids });
    file.truncateWal();

    expect([isThereBefore, isInFiles()]).toEqual([true, false]);
  });
});
