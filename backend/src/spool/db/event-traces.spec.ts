import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LIMITS } from '../spool.fixture.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, queuedIds, newRow, PROJECT, refusal, rowOf } from './spool-file.fixture.ts';

const EVENT = 'a1'.repeat(16);
const NOW_MS = Date.UTC(2026, 10, 21, 12);

describe('the trace of an event', () => {
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

  /** Appends the event, and others with the same time of arrival. */
  function take(changes: Parameters<typeof newRow>[0] = {}): number {
    const row = newRow({ eventId: EVENT, receivedAtMs: NOW_MS, ...changes });
    const others = [
      newRow({ eventId: 'b2'.repeat(16), receivedAtMs: NOW_MS }),
      newRow({ receivedAtMs: NOW_MS }),
    ];
    const { ids } = commit(file, { appends: [...others, row] });
    return ids.at(-1) ?? 0;
  }

  function trace(project = PROJECT) {
    return file.traces.trace({ eventId: EVENT, project, receivedAtMs: NOW_MS });
  }

  it('is the envelope until its upstream accepts it', () => {
    const id = take({ pending: UPSTREAM_BIT | STORE_BIT });
    const before = trace();
    commit(file, { delivered: [{ id, bits: STORE_BIT, digest: null }] });

    expect([before.queuedId, trace().queuedId]).toEqual([id, id]);
    expect(trace('https://other@errata.invalid/1').queuedId).toBeNull();
  });

  it('is empty once the upstream accepted it, though the store did not', () => {
    const id = take({ pending: UPSTREAM_BIT | STORE_BIT });
    commit(file, { delivered: [{ id, bits: UPSTREAM_BIT, digest: null }] });

    expect(trace()).toEqual({ queuedId: null, deadLetter: null, lost: null });
  });

  it('is the batch of browser reports that contains it', () => {
    const stored = Buffer.from('{"type":"raw_security"}\n{}\n{"type":"raw_security"}\n{}');
    const id = take({ eventId: 'c3'.repeat(16), stored, class: 2 });

    expect(trace().queuedId).toBe(id);
  });

  it('is the dead letter of a refused event, and its discard afterwards', () => {
    const id = take();
    commit(file, { settled: [refusal(id)] }, NOW_MS + 5);
    const refused = trace();

    file.discard([refused.deadLetter?.id ?? 0], NOW_MS + 9);

    expect(refused).toMatchObject({
      queuedId: null,
      deadLetter: { reason: 'send_error', status: 400, deadLetteredAtMs: NOW_MS + 5 },
    });
    expect(trace()).toMatchObject({
      queuedId: null,
      deadLetter: null,
      lost: { fate: 'discarded', reason: 'send_error', status: 400, atMs: NOW_MS + 9 },
    });
  });

  it('forgets the refusal of a redriven event', () => {
    const id = take();
    commit(file, { settled: [refusal(id)] });
    const { lastId } = file.redrive([trace().deadLetter?.id ?? 0]);
    const again = trace();

    commit(file, { delivered: [{ id: lastId, bits: UPSTREAM_BIT, digest: null }] });

    expect(again).toEqual({ queuedId: lastId, deadLetter: null, lost: null });
    expect(trace()).toEqual({ queuedId: null, deadLetter: null, lost: null });
  });

  it('reports expired errors, also after a restart', () => {
    take();
    file.expire(NOW_MS + LIMITS.maxAgeMs.error + 1);
    file.close();
    file = new SpoolFile(directory, LIMITS);

    expect(queuedIds(file)).toEqual([]);
    expect(trace().lost).toMatchObject({ fate: 'expired', reason: 'cache_overflow' });
  });

  it('reports evicted errors, but no other evicted envelopes', () => {
    const digest = 'd'.repeat(64);
    const fill = (eventId: string | null, type: string, envelopeClass: 0 | 4) => {
      const { ids } = commit(file, {
        appends: [rowOf(type, 60_000, { eventId, class: envelopeClass, receivedAtMs: NOW_MS })],
      });
      const accepted = ids.filter((id) => id > 0);
      commit(file, { delivered: accepted.map((id) => ({ id, bits: STORE_BIT, digest })) });
    };
    fill('e'.repeat(32), 'replay_event', 4);
    fill('0'.repeat(32), 'event', 0);
    fill(EVENT, 'event', 0);

    for (let number = 1; number < 30; number += 1) fill(String(number).padStart(32, '0'), 'event', 0);

    expect(trace().lost).toMatchObject({ fate: 'dropped', reason: 'queue_overflow' });
    expect(
      file.traces.trace({ eventId: 'e'.repeat(32), project: PROJECT, receivedAtMs: NOW_MS }).lost,
    ).toBeNull();
  });

  it('keeps the newest 10,000 losses', () => {
    const batch = 402;
    const losses = 25 * batch;
    const idOf = (number: number): string => number.toString(16).padStart(32, '0');
    for (let at = 0; at < losses; at += batch) {
      const rows = Array.from({ length: batch }, (_, index) => newRow({ eventId: idOf(at + index + 1) }));
      const { ids } = commit(file, { appends: rows });
      commit(file, { settled: ids.map((id) => refusal(id)) });
    }

    const lostOf = (number: number) =>
      file.traces.trace({ eventId: idOf(number), project: PROJECT, receivedAtMs: NOW_MS }).lost;

    expect([lostOf(1), lostOf(losses - 10_000)]).toEqual([null, null]);
    expect(lostOf(losses - 9_999)).toMatchObject({ fate: 'dead_lettered' });
    expect(lostOf(losses)).toMatchObject({ fate: 'dead_lettered' });
  });

  describe('of one that is not in the store', () => {
    it('counts the envelopes that wait for the store, and finds the event in them, also by a prefix of its id', () => {
      take({ pending: UPSTREAM_BIT | STORE_BIT });
      const queued = { eventId: EVENT, fate: 'queued', reason: 'queued', atMs: NOW_MS };

      expect(file.traces.missing([])).toEqual({ queued: 1, event: null });
      expect(file.traces.missing(['f'.repeat(32), EVENT.slice(0, 10)])).toEqual({
        queued: 1,
        event: queued,
      });
    });

    it('reports what the store refused, and not what only the upstream refused', () => {
      const id = take({ pending: UPSTREAM_BIT | STORE_BIT });
      commit(file, { settled: [refusal(id)] });
      commit(file, { delivered: [{ id, bits: STORE_BIT, digest: null }] });
      const stored = file.traces.missing([EVENT]);
      const other = take({ pending: STORE_BIT, stored: Buffer.from('another') });
      const loss = {
        reason: 'unstorable',
        isReported: false,
        refusal: { status: null, detail: 'no' },
      } as const;
      commit(file, {
        settled: [{ id: other, bits: STORE_BIT, fate: 'dead_lettered', loss }],
      });

      expect(stored.event).toBeNull();
      expect(file.traces.missing([EVENT]).event).toMatchObject({
        fate: 'dead_lettered',
        reason: 'unstorable',
      });
    });
  });

  describe('identity', () => {
    it('stays the same as long as the file exists', () => {
      const { identity } = file.opened;
      file.close();
      file = new SpoolFile(directory, LIMITS);
      const after = file.opened.identity;
      file.close();
      rmSync(join(directory, 'spool.db'));
      rmSync(join(directory, 'spool.watermark'));
      file = new SpoolFile(directory, LIMITS);

      expect(after).toBe(identity);
      expect(file.opened.identity).not.toBe(identity);
      expect(Number.isSafeInteger(identity) && identity > 0).toBe(true);
    });

    it('changes when rows were lost', () => {
      const { identity } = file.opened;
      take();
      file.close();
      const database = new DatabaseSync(join(directory, 'spool.db'));
      database.exec("UPDATE sequence SET value = 1 WHERE name = 'envelope'");
      database.close();
      file = new SpoolFile(directory, LIMITS);

      expect(file.opened.lost).toBe(2);
      expect(file.opened.identity).not.toBe(identity);
    });
  });
});
