import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Spool } from './spool.ts';
import { type StartSpool, startSpoolWorker } from './spool-thread.ts';
import type { SpoolEvents } from './spool-listeners.ts';
import { fates, queued, newEnvelope, openSpool, PROJECT, settledCounts, textOf } from './spool.fixture.ts';
import type { SettledEnvelope, SpoolLimits } from './protocol/spool-messages.ts';
import { GZIP_ABOVE_BYTES, STORE_BIT, UPSTREAM_BIT } from '../sink/queued-envelope.ts';

const ALL = UPSTREAM_BIT | STORE_BIT;

function refused(id: number, changes: Partial<SettledEnvelope> = {}): SettledEnvelope {
  const loss = {
    reason: 'send_error',
    isReported: true,
    refusal: { status: 413, detail: 'too large' },
  } as const;
  return { id, bits: UPSTREAM_BIT, fate: 'dead_lettered', loss, ...changes };
}

describe('Spool', () => {
  let directory: string;
  let open: Spool[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-spool-'));
    open = [];
  });

  afterEach(async () => {
    for (const spool of open) await spool.close();
    rmSync(directory, { recursive: true });
  });

  async function opened(
    limits: Partial<SpoolLimits> = {},
    events: Partial<SpoolEvents> = {},
    start?: StartSpool,
  ): Promise<Spool> {
    const spool = await openSpool(directory, limits, events, start);
    open.push(spool);
    return spool;
  }

  it('returns the bytes and the sender of appended envelopes', async () => {
    const spool = await opened({}, {}, startSpoolWorker);
    const sender = { ...newEnvelope('').sender, address: '192.0.2.1', userAgent: 'test' };

    await Promise.all([spool.append(newEnvelope('one', { sender })), spool.append(newEnvelope('two'))]);
    const claimed = await queued(spool);

    expect(claimed.map(textOf)).toEqual(['one', 'two']);
    expect(claimed[0]).toMatchObject({ project: PROJECT, sender, class: 0, lifetime: 'error', pending: ALL });
  });

  it('passes committed envelopes to its reader in memory', async () => {
    const spool = await opened();
    const seen: string[] = [];
    spool.attach({
      canEmpty: true,
      committed: (batch) => seen.push(...batch.map(textOf)),
      advanced: () => {},
    });

    await spool.append(newEnvelope('one'));

    expect(seen).toEqual(['one']);
  });

  it('takes no more than a thirty-second of its cap in a commit', async () => {
    const spool = await opened({ maxBytes: 2 ** 20 });
    const commits: number[] = [];
    spool.attach({ canEmpty: true, committed: (batch) => commits.push(batch.length), advanced: () => {} });
    const texts = Array.from({ length: 8 }, (_, at) => `${at} ${'x'.repeat(10_000)}`);

    await Promise.all(texts.map((text) => spool.append(newEnvelope(text))));

    expect(commits).toEqual([3, 3, 2]);
  });

  describe('above 90 %', () => {
    let spool: Spool;
    let commits: number[];
    /** Settlements in the same commits. */
    let settlements: number[];
    const listener = {
      canEmpty: true,
      committed: (batch: readonly unknown[], settled: readonly unknown[]) => {
        if (batch.length === 0) return;
        commits.push(batch.length);
        settlements.push(settled.length);
      },
      advanced: () => {},
    };

    /** An upstream settles 100 envelopes; ten of them leave, as no other sink misses them. */
    beforeEach(async () => {
      const first = await opened();
      const ids: number[] = [];
      while (first.fill < 0.97) {
        const pending = ids.length < 10 ? UPSTREAM_BIT : ALL;
        ids.push((await first.append(newEnvelope(`${ids.length} ${'x'.repeat(3_500)}`, { pending }))).id);
      }
      await first.close();
      commits = [];
      settlements = [];
      listener.canEmpty = true;
      spool = await opened();
      spool.attach(listener);
      for (const id of ids.slice(0, 100)) spool.settleDelivered({ id, bits: UPSTREAM_BIT, digest: null });
      await spool.flush();
    });

    it('takes as many envelopes in a commit as left in the one before', async () => {
      await Promise.all(Array.from({ length: 12 }, (_, at) => spool.append(newEnvelope(`waits ${at}`))));

      expect(commits).toEqual([10, 1, 1]);
    });

    it('has an envelope wait for settlements', async () => {
      // From a message on, no timer fires before the end of the turn.
      await spool.ask('counts');
      const appended = spool.append(newEnvelope('waits'));
      await setImmediate();

      spool.settleDelivered({ id: 101, bits: UPSTREAM_BIT, digest: null });
      await appended;

      expect(settlements).toEqual([1]);
    });

    it('counts envelopes that are still compressed among those that wait', async () => {
      const large = 'x'.repeat(GZIP_ABOVE_BYTES);
      const waiting = Array.from({ length: 64 }, (_, at) => spool.append(newEnvelope(`${at} ${large}`)));

      await expect(spool.append(newEnvelope('refused'))).rejects.toMatchObject({ reason: 'busy' });
      listener.canEmpty = false;
      await Promise.all(waiting);
    });

    it('refuses an envelope at once while more wait than the last second committed', async () => {
      const waiting = Array.from({ length: 64 }, (_, at) => spool.append(newEnvelope(`waits ${at}`)));

      await expect(spool.append(newEnvelope('refused'))).rejects.toMatchObject({ reason: 'busy' });
      const before = [...commits];
      listener.canEmpty = false;
      await Promise.all([...waiting, spool.append(newEnvelope('in an outage'))]);

      expect(before).toEqual([]);
      expect(commits).toEqual([65]);
    });
  });

  it('keeps appended envelopes and the sequence of ids over a restart', async () => {
    const first = await opened();
    const before = await first.append(newEnvelope('kept'));
    await first.close();

    const second = await opened();
    const after = await second.append(newEnvelope('new'));

    expect(after.id).toBe(before.id + 1);
    expect(await queued(second)).toHaveLength(2);
  });

  it('never reuses an id, also when everything was delivered before a restart', async () => {
    const first = await opened();
    const { id } = await first.append(newEnvelope('gone'));
    first.settleDelivered({ id, bits: ALL, digest: null });
    await first.close();

    const second = await opened();

    expect((await second.append(newEnvelope('new'))).id).toBe(id + 1);
  });

  it('compresses a large envelope and returns it byte for byte', async () => {
    const spool = await opened();
    const text = 'long enough '.repeat(20_000);

    await spool.append(newEnvelope(text));

    expect((await queued(spool)).map(textOf)).toEqual([text]);
    expect(spool.fill).toBeLessThan(0.05);
  });

  it('holds an envelope until the last of its sinks has settled', async () => {
    const spool = await opened();
    const { id } = await spool.append(newEnvelope('both'));

    spool.settleDelivered({ id, bits: STORE_BIT, digest: null });
    const afterOne = await settledCounts(spool);
    spool.settleDelivered({ id, bits: UPSTREAM_BIT, digest: null });
    const afterBoth = await settledCounts(spool);

    expect(afterOne.queued).toBe(1);
    expect(fates(afterOne)).toEqual({ accepted: 1 });
    expect(afterBoth.queued).toBe(0);
    expect(fates(afterBoth)).toEqual({ accepted: 1, delivered: 1 });
  });

  it('counts the worst fate when the sinks of an envelope disagree', async () => {
    const spool = await opened();
    const { id } = await spool.append(newEnvelope('refused upstream'));

    spool.settle(refused(id));
    spool.settleDelivered({ id, bits: STORE_BIT, digest: null });

    expect((await settledCounts(spool)).ledger).toEqual([
      { fate: 'accepted', reason: '', count: 1 },
      { fate: 'dead_lettered', reason: 'send_error', count: 1 },
    ]);
  });

  it('counts an envelope without a sink as accepted and dropped', async () => {
    const spool = await opened();

    spool.countUnwanted();
    const counts = await settledCounts(spool);

    expect(fates(counts)).toEqual({ accepted: 1, dropped: 1 });
    expect(counts.ledger).toContainEqual({ fate: 'dropped', reason: 'no_upstream', count: 1 });
  });

  it('refuses a directory that another process or spool uses, in one sentence', async () => {
    await opened();

    await expect(opened({}, {}, startSpoolWorker)).rejects.toThrow('is in use by another process');
  });

  it('moves an unreadable file aside, reports the loss, and starts with a new one', async () => {
    const first = await opened();
    await first.append(newEnvelope('one'));
    await first.append(newEnvelope('two'));
    await first.close();
    writeFileSync(join(directory, 'spool.db'), 'this is no database'.repeat(500));
    const reports: (string | number | null)[] = [];

    const second = await opened(
      {},
      {
        onMovedAside: ({ movedTo }) => reports.push(movedTo),
        onLost: (envelopes) => reports.push(envelopes),
      },
    );
    await second.append(newEnvelope('three'));

    const aside = readdirSync(directory).filter((name) => /^spool\.db\.unreadable-\d+$/.test(name));
    expect(reports).toEqual([join(directory, aside[0] ?? ''), 2]);
    expect(await queued(second)).toHaveLength(1);
  });

  it('moves a file aside that opens but has unreadable rows', async () => {
    const first = await opened();
    await Promise.all(Array.from({ length: 200 }, (_, at) => first.append(newEnvelope(`number ${at}`))));
    await first.close();
    const path = join(directory, 'spool.db');
    const bytes = readFileSync(path);
    // Overwrites every page but the first one with the schema, so that no table can be read.
    bytes.fill(0xff, 4096);
    writeFileSync(path, bytes);

    const second = await opened();
    const { id } = await second.append(newEnvelope('after'));

    expect(id).toBeGreaterThan(200);
    expect(readdirSync(directory).some((name) => name.startsWith('spool.db.unreadable-'))).toBe(true);
    expect(await queued(second)).toHaveLength(1);
  });

  it('makes a dead letter of a corrupt row, and reports it', async () => {
    const first = await opened();
    await first.append(newEnvelope('a-text-that-can-be-found'));
    await first.append(newEnvelope('sound'));
    await first.close();
    const path = join(directory, 'spool.db');
    const bytes = readFileSync(path);
    bytes.write('b', bytes.indexOf('a-text-that-can-be-found'));
    writeFileSync(path, bytes);
    const corrupt: number[] = [];

    const second = await opened({}, { onCorrupt: (ids) => corrupt.push(...ids) });

    expect((await queued(second)).map(textOf)).toEqual(['sound']);
    expect(corrupt).toHaveLength(1);
    expect(fates(await settledCounts(second))).toMatchObject({ dead_lettered: 1 });
    expect(await second.ask('deadLetters', null, 5)).toMatchObject([{ reason: 'unreadable' }]);
  });

  it('rejects appends after it was closed', async () => {
    const spool = await opened();
    await spool.close();

    await expect(spool.append(newEnvelope('late'))).rejects.toMatchObject({ reason: 'closed' });
  });
});
