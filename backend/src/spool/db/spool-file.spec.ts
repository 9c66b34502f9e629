import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Discard } from '../../outcome/outcome.ts';
import { LIMITS } from '../spool.fixture.ts';
import { DUPLICATE, NO_ROOM, type SpoolLimits } from '../protocol/spool-messages.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { SpoolFile } from './spool-file.ts';
import { commit, queued, queuedIds, newRow, PROJECT, rowOf } from './spool-file.fixture.ts';
import { HOUR_MS } from '../../time/iso.ts';

/** The work of a relay that cut items from an envelope and delivered the rest. */
function cutAndDelivered(id: number, cut: readonly Discard[]): Parameters<typeof commit>[1] {
  return {
    discarded: cut.map((each) => ({ project: PROJECT, cutFrom: { id, bits: UPSTREAM_BIT }, ...each })),
    delivered: [{ id, bits: UPSTREAM_BIT, digest: null }],
  };
}

describe('SpoolFile', () => {
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

  it('opens again without a file for shared memory, for which a full disk has no room', () => {
    commit(file, { appends: [newRow()] });
    reopen();

    expect(readdirSync(directory)).not.toContain('spool.db-shm');
    expect(queuedIds(file)).toHaveLength(1);
  });

  describe('repeats', () => {
    it('L5: recognises an envelope that was accepted before, also after a restart', () => {
      const row = newRow({ eventId: 'a'.repeat(32) });
      const [id = 0] = commit(file, { appends: [row] }).ids;
      commit(file, { delivered: [{ id, bits: UPSTREAM_BIT, digest: null }] });
      reopen();

      expect(commit(file, { appends: [row, row] }).ids).toEqual([DUPLICATE, DUPLICATE]);
      expect(file.counts().ledger).toEqual([
        { fate: 'accepted', reason: '', count: 1 },
        { fate: 'delivered', reason: '', count: 1 },
      ]);
    });

    it('L5: accepts the same bytes of another project or key, and other bytes of the same event', () => {
      const row = newRow({ eventId: 'a'.repeat(32) });
      const project = { ...row, project: 'https://other@errata.invalid/1' };
      const key = { ...row, source: 'server' as const };
      const { ids } = commit(file, {
        appends: [row, project, key, { ...row, stored: Buffer.from('other') }],
      });

      expect(ids.every((id) => id > 0)).toBe(true);
    });

    it('remembers only the newest keys', () => {
      reopen({ dedup: { maxKeys: 2, maxAgeMs: HOUR_MS } });
      const rows = [newRow(), newRow(), newRow()];
      for (const row of rows) commit(file, { appends: [row] });

      const verdicts = rows.toReversed().map((row) => commit(file, { appends: [row] }).ids[0]);

      expect(verdicts.map((id) => id === DUPLICATE)).toEqual([true, true, false]);
    });

    it('L5: recognises a repeat whose client sent no event id', () => {
      const stored = Buffer.from('{"type":"event"}\n{}');
      const made = (id: string) => newRow({ stored, eventId: id.repeat(32), hasMadeId: true });

      const { ids } = commit(file, { appends: [made('a'), made('b')] });

      expect(ids[1]).toBe(DUPLICATE);
    });

    it('forgets keys that are too old', () => {
      const row = newRow();
      commit(file, { appends: [row] }, 1_000);
      commit(file, { appends: [newRow()] }, 1_000 + LIMITS.dedup.maxAgeMs + 1);

      expect(commit(file, { appends: [row] }).ids[0]).toBeGreaterThan(0);
    });
  });

  describe('when it is full', () => {
    /** Fills the spool with envelopes of one class until the next one needs an eviction. */
    function fill(envelopeClass: 0 | 1 | 2 | 3 | 4, type: string, bytes = 10_000): readonly number[] {
      const ids: number[] = [];
      for (;;) {
        const before = file.counts().queued;
        const [id = 0] = commit(file, {
          appends: [rowOf(type, bytes, { class: envelopeClass, lifetime: 'other' })],
        }).ids;
        if (id === NO_ROOM || file.counts().queued <= before) return ids;
        ids.push(id);
      }
    }

    /** Appends errors until the next one is refused. */
    function flood(): readonly number[] {
      const ids: number[] = [];
      for (;;) {
        const [id = 0] = commit(file, { appends: [rowOf('event', 10_000)] }).ids;
        if (id === NO_ROOM) return ids;
        ids.push(id);
      }
    }

    it.each([
      [4, 'replay_event', 0.4],
      [3, 'log', 0.6],
      [2, 'transaction', 0.75],
      [1, 'session', 0.9],
      [0, 'event', 1],
    ] as const)('L3: accepts class %i (%s) up to its share of the cap', (envelopeClass, type, share) => {
      fill(envelopeClass, type);

      expect(file.opened.fill).toBe(0);
      expect(file.counts().fill).toBeLessThanOrEqual(share);
      expect(file.counts().fill).toBeGreaterThan(share - 0.05);
    });

    it('L3: evicts the oldest of the lowest class first', () => {
      const replays = fill(4, 'replay_event');
      const logs = fill(3, 'log');
      commit(file, { appends: [rowOf('transaction', 60_000, { class: 2 })] });
      const errors = flood();
      const left = new Set(queuedIds(file));

      expect(replays.some((id) => left.has(id))).toBe(false);
      expect(logs.some((id) => left.has(id))).toBe(false);
      expect(errors.every((id) => left.has(id))).toBe(true);
    });

    it('refuses an envelope that no eviction gives room, and evicts nothing', () => {
      fill(0, 'event');
      const before = file.counts();

      const { ids } = commit(file, { appends: [rowOf('replay_event', 10_000, { class: 4 })] });

      expect(ids).toEqual([NO_ROOM]);
      expect(file.counts()).toEqual(before);
    });

    it('L3: evicts repeats of a digest before it refuses a unique error, and never the last one', () => {
      const [unique = 0] = commit(file, { appends: [rowOf('event', 10_000)] }).ids;
      const repeats = fill(0, 'event');
      commit(file, {
        delivered: [
          { id: unique, bits: STORE_BIT, digest: 'unique' },
          ...repeats.map((id) => ({ id, bits: STORE_BIT, digest: 'repeated' })),
        ],
      });

      const news = Array.from(
        { length: 60 },
        () => commit(file, { appends: [rowOf('event', 10_000)] }).ids[0],
      );
      const left = queuedIds(file);

      expect(news).not.toContain(NO_ROOM);
      expect(left).toContain(unique);
      expect(left).toContain(repeats.at(-1));
      expect(left).toContain(repeats[0]);
    });

    it('refuses an error only when unique errors have filled the spool', () => {
      const ids = fill(0, 'event');
      commit(file, { delivered: ids.map((id) => ({ id, bits: STORE_BIT, digest: `digest ${id}` })) });

      expect(commit(file, { appends: [rowOf('event', 10_000)] }).ids).toEqual([NO_ROOM]);
      expect(queuedIds(file)).toHaveLength(ids.length);
    });

    it('accepts envelopes again after a delivery', () => {
      const [first = 0] = fill(0, 'event');

      const { ids } = commit(file, {
        delivered: [{ id: first, bits: UPSTREAM_BIT, digest: null }],
        appends: [rowOf('event', 9_000)],
      });

      expect(ids[0]).toBeGreaterThan(0);
    });

    it('L6: counts evicted items for the upstream and reports them once', () => {
      const replays = fill(4, 'replay_event');
      flood();
      const [newest = 0] = queuedIds(file);
      commit(file, { delivered: [{ id: newest, bits: UPSTREAM_BIT, digest: null }] });

      const { lastId } = file.report([PROJECT], 1_700_000_000_000);
      const report = queued(file).find(({ id }) => id === lastId)?.stored ?? [];
      file.report([PROJECT], 1_700_000_060_000);

      expect(Buffer.from(report).toString()).toBe(
        `{"type":"client_report"}\n{"timestamp":1700000000,"discarded_events":[{"reason":"queue_overflow","category":"replay","quantity":${replays.length + 1}}]}`,
      );
      expect(queuedIds(file).filter((id) => id > lastId)).toEqual([]);
    });

    it('neither evicts nor expires a client report before errors', () => {
      fill(4, 'replay_event');
      commit(file, { appends: [rowOf('event', 10_000)] });
      const { lastId } = file.report([PROJECT], Date.now());

      flood();
      file.expire(Date.now() + 2 * 24 * HOUR_MS);

      expect(queuedIds(file)).toContain(lastId);
    });
  });

  it('counts the items discarded from an envelope that is delivered in the same commit', () => {
    const [id = 0] = commit(file, { appends: [newRow()] }).ids;
    const discarded = [{ reason: 'ratelimit_backoff', category: 'session', quantity: 2 }] as const;

    commit(file, cutAndDelivered(id, discarded));

    expect(file.counts()).toMatchObject({ queued: 0, discards: discarded });
  });

  it.each([UPSTREAM_BIT, UPSTREAM_BIT | STORE_BIT])(
    'counts the items cut from an envelope once when the confirmation of the commit is lost, sinks %i',
    (pending) => {
      const [id = 0] = commit(file, { appends: [{ ...newRow(), pending }] }).ids;
      const discarded = [{ reason: 'ratelimit_backoff', category: 'session', quantity: 2 }] as const;

      commit(file, cutAndDelivered(id, discarded));
      commit(file, cutAndDelivered(id, discarded));

      expect(file.counts()).toMatchObject({ discards: discarded });
    },
  );

  it('expires each kind at its own age, and counts it for the upstream', () => {
    const nowMs = 100 * 24 * HOUR_MS;
    const row = (type: string, lifetime: 'error' | 'check_in' | 'other', ageMs: number) =>
      rowOf(type, 1, { lifetime, receivedAtMs: nowMs - ageMs });
    const { ids } = commit(file, {
      appends: [
        row('event', 'error', 8 * 24 * HOUR_MS),
        row('event', 'error', 6 * 24 * HOUR_MS),
        row('check_in', 'check_in', 2 * HOUR_MS),
        row('session', 'other', 2 * HOUR_MS),
        row('session', 'other', 25 * HOUR_MS),
      ],
    });

    expect(file.expire(nowMs)).toEqual({ expired: 3 });
    expect(queuedIds(file)).toEqual([ids[1], ids[3]]);
    expect(file.counts().ledger).toContainEqual({ fate: 'expired', reason: 'cache_overflow', count: 3 });
    expect(file.counts().discards).toEqual([
      { reason: 'cache_overflow', category: 'error', quantity: 1 },
      { reason: 'cache_overflow', category: 'monitor', quantity: 1 },
      { reason: 'cache_overflow', category: 'session', quantity: 1 },
    ]);
  });

  it('keeps rate limits over a restart until they end', () => {
    const untilMs = Date.now() + 60_000;
    commit(file, {
      rateLimits: [
        {
          project: PROJECT,
          limits: [
            { categories: ['error', 'session'], untilMs, reason: 'quota' },
            { categories: [], untilMs: Date.now() - 1, reason: null },
          ],
        },
      ],
    });
    reopen();

    expect(file.opened.rateLimits).toEqual([
      { project: PROJECT, limits: [{ categories: ['error'], untilMs, reason: 'quota' }] },
      { project: PROJECT, limits: [{ categories: ['session'], untilMs, reason: 'quota' }] },
    ]);
  });
});
