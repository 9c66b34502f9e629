import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { LIMITS } from '../spool.fixture.ts';
import type { DeadLetter, MalformedBody, SpoolLimits } from '../protocol/spool-messages.ts';
import { NO_SENDER, STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, queuedIds, newRow, PROJECT, refusal, rowOf } from './spool-file.fixture.ts';
import { DAY_MS, HOUR_MS } from '../../time/iso.ts';

/** Returns the stored bytes of a dead letter. */
function bytesOf(file: SpoolFile, letter: DeadLetter | undefined): Buffer {
  return Buffer.from(file.tables.deadLetters.open(letter?.id ?? 0)?.bytes ?? []);
}

/** Limits of the real process. */
const REAL_LIMITS = {
  maxBytes: 2 ** 26,
  deadLetters: { maxBytes: 2 ** 26, maxRows: 1_000, maxAgeMs: 14 * DAY_MS },
};

/** Returns malformed bodies whose details are their numbers. */
function malformedBodies(from: number, count: number, bytes = 3): readonly MalformedBody[] {
  const body = Buffer.alloc(bytes, '[');
  return Array.from({ length: count }, (_, at) => ({
    project: PROJECT,
    receivedAtMs: 1,
    sender: NO_SENDER,
    body,
    detail: `${from + at}`,
  }));
}

/** Has the upstream refuse so many envelopes. */
function refuse(file: SpoolFile, count: number): void {
  const { ids } = commit(file, { appends: Array.from({ length: count }, () => newRow()) });
  commit(file, { settled: ids.map(refusal) });
}

/** Lists all dead letters, newest first: those that can be sent again as `sendable`, malformed bodies by their detail. */
function letters(file: SpoolFile): readonly string[] {
  const all = file.tables.deadLetters.list(null, 10_000);
  return all.map(({ canRedrive, detail }) => (canRedrive ? 'sendable' : detail));
}

const sendable = (count: number): readonly string[] => Array.from({ length: count }, () => 'sendable');
/** Returns the numbers from `last` down. */
const numbers = (last: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${last - at}`);

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

  it('S11: keeps the newest 50 of 1,300 malformed bodies, and all 30 that can be sent again', () => {
    reopen(REAL_LIMITS);
    refuse(file, 30);
    const { ledger } = file.counts();

    for (let from = 0; from < 1_300; from += 20) commit(file, { malformed: malformedBodies(from, 20) });

    expect(letters(file)).toEqual([...numbers(1_299, 50), ...sendable(30)]);
    expect(file.counts().ledger).toEqual(ledger);
  });

  it('keeps malformed bodies of 1 MiB together', () => {
    reopen(REAL_LIMITS);

    commit(file, { malformed: malformedBodies(0, 20, 2 ** 16) });

    expect(letters(file)).toEqual(numbers(19, 16));
  });

  it('S11: keeps no malformed body where its row would cost one that can be sent again', () => {
    refuse(file, LIMITS.deadLetters.maxRows);

    commit(file, { malformed: malformedBodies(0, 3) });

    expect(letters(file)).toEqual(sendable(10));
  });

  it('S11: deletes newer malformed bodies before older ones that can be sent again, by rows and by bytes', () => {
    refuse(file, 8);
    commit(file, { malformed: malformedBodies(0, 2, 2 ** 16) });
    refuse(file, 1);
    const byRows = letters(file);
    reopen({ deadLetters: { ...LIMITS.deadLetters, maxBytes: 2 ** 16, maxRows: 100 } });
    refuse(file, 1);

    expect(byRows).toEqual(['sendable', '1', ...sendable(8)]);
    expect(letters(file)).toEqual(sendable(10));
  });

  it('shrinks the malformed bodies of an older version, 40 in a transaction, and none of the others', () => {
    reopen(REAL_LIMITS);
    refuse(file, 1);
    commit(file, { malformed: malformedBodies(0, 1) });
    refuse(file, 1);
    file.close();
    copyMalformed(directory, 900);
    file = new SpoolFile(directory, { ...LIMITS, ...REAL_LIMITS });

    file.expire(Date.now());
    const afterOne = letters(file).length;
    for (let minute = 0; minute < 30; minute += 1) file.expire(Date.now());

    expect(afterOne).toBe(2 + 901 - 40);
    expect(letters(file)).toEqual([...numbers(900, 50), ...sendable(2)]);
    expect(file.redrive(file.tables.deadLetters.list(null, 100).map(({ id }) => id)).redriven).toBe(2);
  });
});

/** Copies the malformed body of a closed spool, with the details 1, 2, 3 …: an older version kept as many as others. */
function copyMalformed(directory: string, count: number): void {
  const database = new DatabaseSync(join(directory, 'spool.db'));
  database.exec(`
    WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < ${count})
    INSERT INTO dead_letter (project, class, lifetime, pending, received_at_ms, dead_lettered_at_ms, source, event_id,
      sender, header, stored, is_gzip, bytes, is_whole, reason, status, detail)
    SELECT project, class, lifetime, pending, received_at_ms, dead_lettered_at_ms, source, event_id,
      sender, header, stored, is_gzip, bytes, is_whole, reason, status, number.value
    FROM dead_letter, number WHERE reason = 'malformed' ORDER BY number.value`);
  database.close();
}
