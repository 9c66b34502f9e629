import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { LIMITS } from '../spool.fixture.ts';
import type { DeadLetter, SpoolLimits } from '../protocol/spool-messages.ts';
import { NO_SENDER, STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, queuedIds, newRow, PROJECT, refusal, rowOf } from './spool-file.fixture.ts';
import { HOUR_MS } from '../../time/iso.ts';

/** Returns the stored bytes of a dead letter. */
function bytesOf(file: SpoolFile, letter: DeadLetter | undefined): Buffer {
  return Buffer.from(file.tables.deadLetters.open(letter?.id ?? 0)?.bytes ?? []);
}

describe('dead letters', () => {
  let directory: string;
  let file: SpoolFile;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-file-'));
    file = new SpoolFile(directory, LIMITS);
  });

  afterEach(() => {
    file.close();
    rmSync(directory, { recursive: true });
  });

  function reopen(limits: Partial<SpoolLimits> = {}): void {
    file.close();
    file = new SpoolFile(directory, { ...LIMITS, ...limits });
  }

  it('keeps a refused envelope whole, and counts it for the upstream', () => {
    const [id = 0] = commit(file, {
      appends: [newRow({ stored: Buffer.from('{"type":"event"}\n{}') })],
    }).ids;
    commit(file, { settled: [refusal(id)] });
    const [letter] = file.tables.deadLetters.list(null, 10);

    expect(letter).toMatchObject({
      project: PROJECT,
      reason: 'send_error',
      status: 400,
      detail: 'no',
      canRedrive: true,
    });
    expect(bytesOf(file, letter).toString()).toBe('{}\n{"type":"event"}\n{}');
    expect(file.counts().discards).toEqual([{ reason: 'send_error', category: 'error', quantity: 1 }]);
  });

  it('keeps an envelope once whose settlement is committed again while the store misses it', () => {
    const [id = 0] = commit(file, { appends: [newRow({ pending: UPSTREAM_BIT | STORE_BIT })] }).ids;
    commit(file, { settled: [refusal(id)] });

    commit(file, { settled: [refusal(id)] });

    expect(file.counts()).toMatchObject({ deadLetters: 1, discards: [{ quantity: 1 }], forStore: 1 });
  });

  it('returns a compressed envelope as it was received', () => {
    const whole = '{}\n{"type":"event"}\n{"a":1}';
    const [id = 0] = commit(file, { appends: [newRow({ stored: gzipSync(whole), isGzip: true })] }).ids;
    commit(file, { settled: [refusal(id)] });
    const [letter] = file.tables.deadLetters.list(null, 10);

    expect(bytesOf(file, letter).toString()).toBe(whole);
  });

  it('keeps only the beginning of an envelope over 1 MiB, and does not redrive it', () => {
    reopen({ maxBytes: 2 ** 23, deadLetters: { maxBytes: 2 ** 22, maxRows: 10, maxAgeMs: HOUR_MS } });
    const [id = 0] = commit(file, { appends: [rowOf('event', 2 ** 20)] }).ids;
    commit(file, { settled: [refusal(id)] });
    const [letter] = file.tables.deadLetters.list(null, 10);

    expect(letter).toMatchObject({ canRedrive: false });
    expect(letter?.bytes).toBeGreaterThan(2 ** 20);
    expect(bytesOf(file, letter).length).toBeLessThan(2 ** 17);
    expect(file.redrive([letter?.id ?? 0])).toMatchObject({ redriven: 0 });
  });

  it('redrives a whole envelope, and the ledger balances', () => {
    const [id = 0] = commit(file, { appends: [newRow()] }).ids;
    commit(file, { settled: [refusal(id)] });
    const [letter] = file.tables.deadLetters.list(null, 10);

    const { redriven, lastId } = file.redrive([letter?.id ?? 0]);

    expect(redriven).toBe(1);
    expect(queuedIds(file, UPSTREAM_BIT)).toEqual([lastId]);
    expect(file.tables.deadLetters.list(null, 10)).toEqual([]);
    expect(file.counts().ledger).toEqual([
      { fate: 'accepted', reason: '', count: 1 },
      { fate: 'accepted', reason: 'redriven', count: 1 },
      { fate: 'dead_lettered', reason: 'send_error', count: 1 },
    ]);
  });

  it('deletes a discarded dead letter, and keeps it counted', () => {
    const [id = 0] = commit(file, { appends: [newRow()] }).ids;
    commit(file, { settled: [refusal(id)] });
    const [letter] = file.tables.deadLetters.list(null, 10);

    expect(file.discard([letter?.id ?? 0, 999])).toEqual({ discarded: 1 });
    expect(file.counts().ledger).toContainEqual({ fate: 'dead_lettered', reason: 'send_error', count: 1 });
  });

  it('keeps no more than its limits, the newest', () => {
    for (let at = 0; at < 15; at += 1) {
      const [id = 0] = commit(file, { appends: [newRow()] }).ids;
      commit(file, { settled: [refusal(id)] });
    }

    expect(file.tables.deadLetters.list(null, 100)).toHaveLength(LIMITS.deadLetters.maxRows);
  });

  it('E17: keeps a malformed body, and never sends it', () => {
    const body = Buffer.from('{}\n{"length":9}\nshort');
    commit(file, {
      malformed: [{ project: PROJECT, receivedAtMs: 1, sender: NO_SENDER, body, detail: 'too short' }],
    });
    const [letter] = file.tables.deadLetters.list(null, 10);

    expect(letter).toMatchObject({ reason: 'malformed', detail: 'too short' });
    expect(bytesOf(file, letter)).toEqual(body);
    expect(file.redrive([letter?.id ?? 0]).redriven).toBe(0);
    expect(file.counts().ledger).toEqual([]);
  });
});
